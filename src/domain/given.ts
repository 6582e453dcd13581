/** The facts that are known: what is undefined is left out, because a state has no empty fields. */
export function given<Facts extends object>(
  facts: Facts,
): { readonly [Key in keyof Facts]?: Exclude<Facts[Key], undefined> } {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as { [Key in keyof Facts]?: Exclude<Facts[Key], undefined> };
}
