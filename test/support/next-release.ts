import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Folders shared with the later release. */
const SAME = ['node_modules', 'locales', 'contracts', 'src', 'docs']

/**
 * A copy of the program with a migration that adds a table and a column, a new SQL function, and one with
 * more parameters.
 */
export function makeNextRelease(folder: string, version: string): void {
  mkdirSync(folder, { recursive: true })
  for (const name of SAME) symlinkSync(join(ROOT, name), join(folder, name))
  for (const name of ['dist', 'migrations', 'functions'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, version }))
  addToNext(folder)
}

export function addToNext(folder: string): void {
  writeFileSync(
    join(folder, 'migrations/9000_next.sql'),
    `create table next_notes (order_id bigint primary key references orders (id), text text not null);
     alter table orders add column next_mark text;
     create index orders_by_next_mark on orders (next_mark) where next_mark is not null;`,
  )
  mkdirSync(join(folder, 'functions/next'), { recursive: true })
  writeFileSync(
    join(folder, 'functions/next/next_note.sql'),
    `create or replace function next_note(p_order bigint) returns text language sql stable as
     'select text from next_notes where order_id = p_order'`,
  )
}
