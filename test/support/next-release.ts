import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** What the program reads and no release changes here. */
const SAME = ['node_modules', 'locales', 'contracts', 'src', 'docs']

/**
 * Makes today's program in `folder` as a later release of it: with `version`, a migration that adds a table and a column, a further SQL
 * function, and one that has more parameters.
 */
export async function makeNextRelease(folder: string, version: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const name of SAME) await symlink(join(ROOT, name), join(folder, name))
  for (const name of ['dist', 'migrations', 'functions'])
    await cp(join(ROOT, name), join(folder, name), { recursive: true })
  const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, version }))
  await addToNext(folder)
}

/** The migration and the functions of a later release, in the folder of one. */
export async function addToNext(folder: string): Promise<void> {
  await writeFile(
    join(folder, 'migrations/9000_next.sql'),
    `create table next_notes (order_id bigint primary key references orders (id), text text not null);
     alter table orders add column next_mark text;
     create index orders_by_next_mark on orders (next_mark) where next_mark is not null;`,
  )
  await mkdir(join(folder, 'functions/next'), { recursive: true })
  await writeFile(
    join(folder, 'functions/next/next_note.sql'),
    `create or replace function next_note(p_order bigint) returns text language sql stable as
     'select text from next_notes where order_id = p_order'`,
  )
}
