import { lazy } from 'react'

// Rarely needed parts of a purchase, loaded on demand.

export const AddressOrigin = lazy(() =>
  import('./AddressOrigin.tsx').then((part) => ({ default: part.AddressOrigin })),
)

export const EscrowBand = lazy(() => import('./PayEscrow.tsx').then((part) => ({ default: part.EscrowBand })))

export const PayEscrow = lazy(() => import('./PayEscrow.tsx').then((part) => ({ default: part.PayEscrow })))
