import { setupI18n } from '@lingui/core'
import { expect, test } from 'vitest'
import { fieldName } from './field-name.ts'

const messages = {
  'field.login': 'Login',
  'setting.retention': 'How long is kept',
  'setting.retention.failedJobs': 'Failed jobs',
}
const i18n = setupI18n({ locale: 'en', messages: { en: messages } })

test('a period of retention has its name wherever the audit log holds it', () => {
  expect(fieldName(i18n, 'failedJobs')).toBe('Failed jobs')
  expect(fieldName(i18n, 'retention.failedJobs', 'setting')).toBe('Failed jobs')
})

test('a field has its own name, and an unknown one its path', () => {
  expect(fieldName(i18n, 'before.login')).toBe('Login')
  expect(fieldName(i18n, 'before.unknown')).toBe('before.unknown')
})
