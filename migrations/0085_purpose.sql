-- What the token is for, in the seller's words: nothing until an operator writes it.

update campaign set settings = settings || '{"purpose": {"en": "", "ru": ""}}' where not settings ? 'purpose';
