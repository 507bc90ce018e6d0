import { campaignMutants } from './campaign.ts'
import { contentMutants } from './content.ts'
import { databaseMutants } from './database.ts'
import { deliveryMutants } from './delivery.ts'
import { entryPointMutants } from './entry-points.ts'
import { ledgerMutants } from './ledger.ts'
import type { Mutant } from './mutant.ts'
import { orderMutants } from './orders.ts'
import { outsideMutants } from './outside.ts'
import { paymentMutants } from './payments.ts'
import { settlementMutants } from './settlement.ts'

/** Mutants in execution order. */
export const mutants: readonly Mutant[] = [
  ...orderMutants,
  ...ledgerMutants,
  ...paymentMutants,
  ...settlementMutants,
  ...entryPointMutants,
  ...deliveryMutants,
  ...outsideMutants,
  ...campaignMutants,
  ...contentMutants,
  ...databaseMutants,
]
