/**
 * Other names of countries, by ISO code: English short and former names, French and Portuguese.
 *
 * Source:  ISO 3166-1 short names and the names in use in the three languages. A name that two countries go by
 *          (`Congo`) stands with both: it finds neither, even where the service lists only one of them.
 */

const LINES = `
AO Angola
BF Burkina|Burkina Faso
BI Burundi
BJ Benin|Bénin|Benim|Republic of Benin
BW Botswana
CD DRC|DR Congo|Congo|Congo Kinshasa|Democratic Republic of Congo|Democratic Republic of the Congo|Congo, Democratic Republic of the|Congo, the Democratic Republic of the|Congo (DRC)|RDC|République démocratique du Congo|República Democrática do Congo
CF Central African Republic|CAR|République centrafricaine|Centrafrique|República Centro-Africana
CG Congo|Republic of the Congo|Congo Brazzaville|République du Congo|República do Congo
CI Ivory Coast|Côte d'Ivoire|Cote d Ivoire|Costa do Marfim|Republic of Côte d'Ivoire
CM Cameroon|Cameroun|Camarões
CV Cape Verde|Cabo Verde|Cap-Vert
DJ Djibouti|Djibuti
DZ Algeria|Algérie|Argélia
EG Egypt|Égypte|Egito|Egipto
ER Eritrea|Érythrée|Eritreia
ET Ethiopia|Éthiopie|Etiópia
GA Gabon|Gabão
GH Ghana|Gana
GM Gambia|The Gambia|Gambie|Gâmbia
GN Guinea|Guinée|Guinée Conakry|Guinea Conakry|Guiné
GQ Equatorial Guinea|Guinée équatoriale|Guiné Equatorial
GW Guinea-Bissau|Guinée-Bissau|Guiné-Bissau
KE Kenya|Quénia|Quênia
KM Comoros|Comores
LR Liberia|Libéria
LS Lesotho|Lesoto
LY Libya|Libye|Líbia
MA Morocco|Maroc|Marrocos
MG Madagascar|Madagáscar
ML Mali
MR Mauritania|Mauritanie|Mauritânia
MU Mauritius|Maurice|Île Maurice|Maurícia|Maurício
MW Malawi|Maláui
MZ Mozambique|Moçambique
NA Namibia|Namibie|Namíbia
NE Niger|Níger
NG Nigeria|Nigéria
RW Rwanda|Ruanda
SC Seychelles|Seicheles
SD Sudan|Soudan|Sudão
SL Sierra Leone|Serra Leoa
SN Senegal|Sénégal
SO Somalia|Somalie|Somália
SS South Sudan|Soudan du Sud|Sudão do Sul
ST São Tomé and Príncipe|Sao Tome|Sao Tomé-et-Principe|São Tomé e Príncipe
SZ Eswatini|Swaziland|eSwatini|Essuatíni
TD Chad|Tchad|Chade
TG Togo
TN Tunisia|Tunisie|Tunísia
TZ Tanzania|United Republic of Tanzania|Tanzania, United Republic of|Tanzanie|Tanzânia
UG Uganda|Ouganda
ZA South Africa|RSA|Afrique du Sud|África do Sul
ZM Zambia|Zambie|Zâmbia
ZW Zimbabwe|Zimbábue
AE United Arab Emirates|UAE|Émirats arabes unis|Emirados Árabes Unidos
BE Belgium|Belgique|Bélgica
BR Brazil|Brésil|Brasil
CA Canada|Canadá
CH Switzerland|Suisse|Suíça
CN China|Chine
DE Germany|Allemagne|Alemanha|Deutschland
ES Spain|Espagne|Espanha|España
FR France|França
GB United Kingdom|UK|Great Britain|Britain|United Kingdom of Great Britain and Northern Ireland|Royaume-Uni|Reino Unido|England
IE Ireland|Irlande|Irlanda
IN India|Inde|Índia
IT Italy|Italie|Itália|Italia
NL Netherlands|The Netherlands|Holland|Pays-Bas|Países Baixos
PT Portugal
US United States|USA|United States of America|U.S.|États-Unis|Estados Unidos|Etats-Unis d'Amérique
`;

/** ISO code → its other names, as written. */
export const COUNTRY_ALIASES: ReadonlyMap<string, readonly string[]> = new Map(
  LINES.trim()
    .split('\n')
    .map((line) => [line.slice(0, 2), line.slice(3).split('|')] as const),
);
