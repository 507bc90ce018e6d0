-- Ink, paper and the colour of what is happening now: null is the product's own.

update campaign
   set settings = jsonb_set(settings, '{brand}', '{"ink": null, "paper": null, "now": null}'::jsonb || (settings -> 'brand'));
