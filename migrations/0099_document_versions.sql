-- What a document was before its newest version: a file that was published stays where it was.

create table document_versions (
  upload_id bigint constraint document_versions_pkey primary key
    constraint document_versions_upload_known references uploads (id),
  document_id bigint not null constraint document_versions_document_known references documents (id) on delete cascade,
  file_name text not null,
  published_at timestamptz not null,
  replaced_at timestamptz not null default clock_timestamp()
);
create index document_versions_of_document on document_versions (document_id, replaced_at);
comment on table document_versions is 'Files of documents that a newer version replaced; the journal says the hash of each from when it was published.';
