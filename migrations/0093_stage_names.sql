-- A stage's name in each language that it has one in.

alter table stages
  add column names jsonb,
  add constraint stages_name_is_one_of_names
    check (names is null or jsonb_path_exists(names, '$.* ? (@ == $name)', jsonb_build_object('name', name)));
comment on column stages.names is
  'By language, where it is more than one plain text; `name` is then the one for files (plainName in src/shared/languages.ts).';
