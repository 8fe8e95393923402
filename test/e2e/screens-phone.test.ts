// The screens on a phone, in the narrowest window with the longer words of other languages.
import { inspectPhone } from './inspect.ts'

inspectPhone()
