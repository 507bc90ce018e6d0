-- Which questions the landing page answers, in which order: those that the program answers from the settings, and the seller's own.

update campaign set settings = settings || jsonb_build_object('faq', (
  select jsonb_agg(jsonb_build_object('key', key, 'question', '{"en": "", "ru": ""}'::jsonb, 'answer', '{"en": "", "ru": ""}'::jsonb) order by place)
    from unnest(array['listing', 'delivery', 'refunds', 'risks', 'pay', 'seller', 'true']) with ordinality as live(key, place)))
 where not settings ? 'faq';
