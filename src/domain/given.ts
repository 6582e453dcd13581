/** The facts that are known: what is undefined is left out, because a state has no empty fields. */
export function given<Facts extends object>(
  facts: Facts,
): { readonly [Key in keyof Facts]?: Exclude<Facts[Key], undefined> } {
  const known: { [Key in keyof Facts]?: Facts[Key] } = {};
  for (const key in facts) if (facts[key] !== undefined) known[key] = facts[key];
  return known as { [Key in keyof Facts]?: Exclude<Facts[Key], undefined> };
}
