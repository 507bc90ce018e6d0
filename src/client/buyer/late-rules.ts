const load = () => import('./account-rules.ts')

type AccountRules = Awaited<ReturnType<typeof load>>

/** Loaded with the first attempt to send: `late('password')`. */
export const late = <Name extends keyof AccountRules>(name: Name) => ({
  late: async (): Promise<AccountRules[Name]> => (await load())[name],
})
