// The outcome of undoing a change, and why a change is left as it is.
export const leftReasons = [
  'already_undone',
  'as_before',
  'changed_since',
  'not_in_log',
  'in_bin',
  'not_in_bin',
  'restored_since',
  'no_longer_fits',
  'leaves_others_alone',
  'not_kept',
  'not_by_this',
  'missing_scope',
] as const
type LeftReason = (typeof leftReasons)[number]

export interface Done {
  action: 'to_bin' | 'put_back' | 'restored'
  /** The fields that keep their values: others changed them since, or they depend on such a field. */
  leftFields?: string[]
  message?: string
}

export interface Taken extends Omit<Done, 'action'> {
  changeId: number
  flightId: number
  action: Done['action'] | 'left'
  undoneBy?: number
  reason?: LeftReason
}

/** Thrown before anything is written, when a change has to be left as it is. */
export class Left extends Error {
  readonly reason: LeftReason
  constructor(reason: LeftReason, message: string) {
    super(message)
    this.reason = reason
  }
}

export const left = {
  undone: (by: number) => new Left('already_undone', `Change ${by} has already undone it.`),
  asBefore: () => new Left('as_before', 'The flight already has the values from before the change.'),
  notInLog: () => new Left('not_in_log', 'The flight is no longer in your log.'),
  notInBin: () => new Left('not_in_bin', 'The flight is no longer in the bin.'),
  notKept: () => new Left('not_kept', 'You have not kept this flight. Delete it to leave the flight.'),
  unfit: (what: string) => new Left('no_longer_fits', what),
  alone: () =>
    new Left('leaves_others_alone', 'Only people who have not kept the flight would be left on it.'),
  other: () => new Left('not_by_this', 'This key or app did not make the change. Undo it in the web app.'),
}
