// The second half of the screens and dialogs, as seen on a phone.
import { inspect } from './inspect.ts'

inspect('phone', 'second')
