import { csvFile } from '../../shared/csv.ts'
import { saveFile } from './save-file.ts'

/** Hands rows, the headings first, to the browser as a CSV file. */
export function saveCsv(name: string, rows: readonly (readonly unknown[])[]) {
  saveFile(name, 'text/csv', csvFile(rows))
}
