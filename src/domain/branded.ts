/**
 * Brands: two strings that must not be swapped get two types. A brand is made in one function, next to the
 * check that earns it.
 */

declare const brand: unique symbol;
export type Branded<Value, Name extends string> = Value & { readonly [brand]: Name };
