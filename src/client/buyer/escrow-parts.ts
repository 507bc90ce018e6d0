import { lazy } from 'react'
import { addFolder } from '../i18n.ts'

// What only orders that are paid into an escrow need: fetched, with its messages, when one is shown.

const withMessages = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  const [part] = await Promise.all([load(), addFolder('escrow')])
  return part
}

export const EscrowBand = lazy(async () => {
  const part = await withMessages(() => import('./PayEscrow.tsx'))
  return { default: part.EscrowBand }
})

export const PayEscrow = lazy(async () => {
  const part = await withMessages(() => import('./PayEscrow.tsx'))
  return { default: part.PayEscrow }
})

export const EscrowTerms = lazy(async () => {
  const part = await withMessages(() => import('./EscrowTerms.tsx'))
  return { default: part.EscrowTerms }
})
