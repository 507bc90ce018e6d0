import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nickname } from './api/account-inputs.ts'
import { mailboxOf } from './mailbox.ts'

test.each([
  ['annexample@gmail.com', 'annexample@gmail.com'],
  ['ann.example+x@googlemail.com', 'annexample@gmail.com'],
  ['a+b+c@example.org', 'a@example.org'],
  ['a.b@example.org', 'a.b@example.org'],
])('the mailbox of %s is %s', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox)
})

test('the mailbox of a mailbox is itself', () => {
  fc.assert(
    fc.property(fc.emailAddress(), (address) => {
      const mailbox = mailboxOf(address.toLowerCase())
      expect(mailboxOf(mailbox)).toBe(mailbox)
    }),
  )
})

test.each(['\u3164\u3164', 'Ann\u115fB', '\uffa0a'])('%j is no nickname: nobody sees it', (name) => {
  expect(nickname.safeParse(name).success).toBe(false)
})
