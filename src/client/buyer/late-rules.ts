const load = () => import('./account-rules.ts')

type AccountRules = Awaited<ReturnType<typeof load>>

/** Usage: `late('password')`. */
export const late = <Name extends keyof AccountRules>(name: Name) => ({
  late: async (): Promise<AccountRules[Name]> => (await load())[name],
})
