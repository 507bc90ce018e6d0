-- From whose hosts the exchange guide's video may be played in the page: nobody's until an owner says.

update campaign set settings = settings || '{"videoOrigins": []}' where not settings ? 'videoOrigins';
