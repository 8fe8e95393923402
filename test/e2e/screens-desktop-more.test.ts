// The second half of the screens and dialogs, as seen and heard on a desktop.
import { inspect } from './inspect.ts'

inspect('second')
