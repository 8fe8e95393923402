// Every screen and dialog as seen on a desktop.
import { inspect } from './inspect.ts'

inspect('desktop', 'dark')
