// Every screen and dialog as seen on a phone.
import { inspect } from './inspect.ts'

inspect('phone')
