/**
 * East Africa and the islands, as the sandbox knows it.
 *
 * Units:   `perUsd` is units of the currency for one US dollar, plausible and fixed; `speed` is seconds.
 * Source:  ISO 3166 and 4217, ITU-T E.164 calling codes; institutions by the names they trade under.
 */
import type { CountrySheet } from './directory.ts';

export const EAST: readonly CountrySheet[] = [
  {
    iso: 'KE',
    name: 'Kenya',
    callingCode: '254',
    currency: 'KES',
    perUsd: '129.24',
    speed: 20,
    banks: [
      'KCB Bank Kenya',
      'Equity Bank Kenya',
      'Co-operative Bank of Kenya',
      'NCBA Bank Kenya',
      'Absa Bank Kenya',
    ],
    wallets: ['M-PESA', 'Airtel Money'],
  },
  {
    iso: 'UG',
    name: 'Uganda',
    callingCode: '256',
    currency: 'UGX',
    perUsd: '3562',
    speed: 30,
    banks: ['Stanbic Bank Uganda', 'Centenary Bank', 'dfcu Bank', 'Equity Bank Uganda'],
    wallets: ['MTN Mobile Money', 'Airtel Money'],
  },
  {
    iso: 'TZ',
    name: 'Tanzania',
    callingCode: '255',
    currency: 'TZS',
    perUsd: '2478',
    speed: 35,
    banks: ['CRDB Bank', 'NMB Bank', 'National Bank of Commerce'],
    wallets: ['M-Pesa', 'Mixx by Yas', 'Airtel Money', 'HaloPesa'],
  },
  {
    iso: 'RW',
    name: 'Rwanda',
    callingCode: '250',
    currency: 'RWF',
    perUsd: '1446',
    speed: 25,
    banks: ['Bank of Kigali', 'I&M Bank Rwanda', 'Equity Bank Rwanda'],
    wallets: ['MTN MoMo', 'Airtel Money'],
  },
  {
    iso: 'BI',
    name: 'Burundi',
    callingCode: '257',
    currency: 'BIF',
    perUsd: '2968',
    speed: 80,
    banks: ['Banque de Crédit de Bujumbura', 'Interbank Burundi'],
    wallets: ['Lumicash', 'EcoCash'],
  },
  {
    iso: 'ET',
    name: 'Ethiopia',
    callingCode: '251',
    currency: 'ETB',
    perUsd: '145.6',
    speed: 70,
    banks: ['Commercial Bank of Ethiopia', 'Awash Bank', 'Dashen Bank', 'Bank of Abyssinia'],
    wallets: ['telebirr', 'M-PESA Ethiopia'],
  },
  {
    iso: 'MG',
    name: 'Madagascar',
    callingCode: '261',
    currency: 'MGA',
    perUsd: '4475',
    speed: 60,
    banks: ['BNI Madagascar', 'Bank of Africa Madagascar', 'BMOI'],
    wallets: ['MVola', 'Orange Money', 'Airtel Money'],
  },
];
