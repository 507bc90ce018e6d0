const browsers: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** `Chrome, Linux` out of what the browser says of itself; undefined where it says nothing known. */
export function deviceName(userAgent: string): string | undefined {
  const parts = [browsers, systems]
    .map((known) => known.find(([sign]) => sign.test(userAgent))?.[1])
    .filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : userAgent.slice(0, 60) || undefined
}
