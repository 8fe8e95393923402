/** An object with only these members, in this order. */
export function pick<Source extends object, Name extends keyof Source>(
  source: Source,
  names: readonly Name[],
): Pick<Source, Name> {
  const picked = {} as Pick<Source, Name>
  for (const name of names) picked[name] = source[name]
  return picked
}
