import {
  chosenPasswordInput,
  loginInput,
  passwordInput,
  phoneNumber,
  profileInput,
  registerInput,
  resetRequestInput,
} from '../../shared/api/account-inputs.ts'
import { rulesOf } from '../area/rules.ts'

export const chosenPassword = rulesOf(chosenPasswordInput)
export const login = rulesOf(loginInput)
export const password = rulesOf(passwordInput)
export const profile = rulesOf(profileInput)
export const register = rulesOf(registerInput)
export const registerWithPhone = rulesOf(registerInput.safeExtend({ phone: phoneNumber }))
export const resetRequest = rulesOf(resetRequestInput)
