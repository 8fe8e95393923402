// Dialogs, menus and other states of screens on a phone.
import { inspectPhoneStates } from './inspect.ts'

inspectPhoneStates()
