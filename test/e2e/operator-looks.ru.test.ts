import { testLooks } from '../support/operator-looks.ts'

await testLooks('ru')
