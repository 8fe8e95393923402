// What is often known at once. Waiting for it nevertheless would put a request behind all others that have arrived.

export type MaybeLater<Value> = Value | Promise<Value>

export const whenKnown = <Value, Result>(
  value: MaybeLater<Value>,
  use: (value: Value) => Result,
): MaybeLater<Result> => (value instanceof Promise ? value.then(use) : use(value))
