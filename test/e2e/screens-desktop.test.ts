// Every screen and dialog as seen and heard on a desktop.
import { inspect } from './inspect.ts'

inspect('desktop')
