// The first half of the screens and dialogs on a desktop.
import { inspect } from './inspect.ts'

inspect('first')
