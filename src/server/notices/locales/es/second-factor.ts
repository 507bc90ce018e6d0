import type { SecondFactorChange } from '../../mail-kinds.ts'

export const secondFactor: Record<SecondFactorChange, string> = {
  totp_on: 'Se activó una aplicación de autenticación.',
  totp_off: 'Se desactivó la aplicación de autenticación.',
  passkey_added: 'Se añadió una llave de acceso.',
  passkey_removed: 'Se quitó una llave de acceso.',
  recovery_codes_new: 'Se crearon códigos de recuperación nuevos; los antiguos ya no funcionan.',
}
