import { csvFile } from '../../shared/csv.ts'
import { saveFile } from './save-file.ts'

/** The first row holds the headings. */
export function saveCsv(name: string, rows: readonly (readonly unknown[])[]) {
  saveFile(name, 'text/csv', csvFile(rows))
}
