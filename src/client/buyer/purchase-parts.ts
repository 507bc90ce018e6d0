import { lazy } from 'react'
import { isOnServer } from '../document-facts.ts'
import { addFolder, type BuyerFolder } from '../i18n.ts'

// Parts of a purchase that few need: each is fetched, with its messages, when it is shown.

/** Fetches a part and the messages that it brings; the browser alone, because the server draws with a page's messages and no more. */
export const withMessages = async <Part>(
  load: () => Promise<Part>,
  folder: BuyerFolder = 'escrow',
): Promise<Part> => {
  if (isOnServer) throw new Error(`The server draws nothing of ${folder}`)
  const [part] = await Promise.all([load(), addFolder(folder)])
  return part
}

export const AddressOrigin = lazy(async () => {
  const part = await withMessages(() => import('./AddressOrigin.tsx'), 'origin')
  return { default: part.AddressOrigin }
})

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
