// The screens in the narrowest window, with the longer words of other languages.
import { inspectNarrow } from './inspect.ts'

inspectNarrow('German', 'de-DE')
inspectNarrow('French', 'fr-FR')
