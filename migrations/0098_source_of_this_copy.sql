-- Where the source of a changed copy lies: nowhere until an operator says so.

update campaign set settings = settings || '{"sourceUrl": null}' where not settings ? 'sourceUrl';
