// The texts of the error pages. English pages show the detailed reason; other languages show the kind of error.
import { translated } from '../domain/translated.ts'

export const errorTexts = await translated(
  {
    didNotWork: 'That did not work',
    unavailable: 'Not available right now',
    tryAgain: 'Please try again in a moment.',
    failed: 'Something went wrong',
    failedText: 'It has been logged. Please try again.',
    /** By status; any other is a malformed request. */
    reasons: {
      403: 'The request came from another website or is not allowed.',
      404: 'This address does not exist.',
      405: 'This page cannot be opened this way.',
      413: 'The submitted data is too large.',
      429: 'Too many requests. Please wait a moment.',
    },
    malformed: 'The request is malformed.',
    nothingShared: 'Nothing is shared here',
    nothingSharedText: 'This address is wrong, or the link has expired or was deleted.',
  },
  import.meta.url,
)
