/** The colours of pages by what they say, for light and dark screens; on paper always light. */
export const COLORS = `
:root{color-scheme:light;--paper:#fff;--panel:#f4f6f8;--ink:#1b2128;--quiet:#54606c;--line:#d3dae1;--link:#0b57a4;
--good:#176f31;--moving:#0b57a4;--doubt:#8a4b00;--bad:#b3211b;--returned:#75399b;--bar:#2f6f9f}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;--paper:#10151b;--panel:#1a2129;--ink:#e7edf3;
--quiet:#a3afbb;--line:#37424d;--link:#86bdff;--good:#6bd47f;--moving:#86bdff;--doubt:#f2bd5c;--bad:#ff9a91;
--returned:#d8b1ff;--bar:#6aaedd}}
`;
