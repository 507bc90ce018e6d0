-- A level's perk is a text with, at will, a link, the day that it is promised for and a proof of having been kept; the moment of the proof is the server's.

update campaign set settings = jsonb_set(settings, '{levels}', coalesce((
  select jsonb_agg(jsonb_set(level, '{perks}', coalesce((
    select jsonb_agg(case when perk ? 'text' then perk else jsonb_build_object(
             'key', 'perk-' || place || '-' || number, 'text', perk, 'link', null, 'promisedFor', null,
             'firstPromisedFor', null, 'proof', null, 'keptAt', null) end order by number)
      from jsonb_array_elements(level -> 'perks') with ordinality perks (perk, number)), '[]')) order by place)
    from jsonb_array_elements(settings -> 'levels') with ordinality levels (level, place)), '[]'));
