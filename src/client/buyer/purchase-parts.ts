import { lazy } from 'react'

// Parts of a purchase that few need: each is fetched when it is shown.

export const AddressOrigin = lazy(() =>
  import('./AddressOrigin.tsx').then((part) => ({ default: part.AddressOrigin })),
)

export const EscrowBand = lazy(() => import('./PayEscrow.tsx').then((part) => ({ default: part.EscrowBand })))

export const PayEscrow = lazy(() => import('./PayEscrow.tsx').then((part) => ({ default: part.PayEscrow })))
