#include "demo/names.hpp"

#include <array>

namespace quaestor::demo {

namespace {

using namespace std::string_view_literals;

constexpr auto kGiven = std::to_array<std::string_view>(
    {"Aaron",   "Abdou",   "Adrián",   "Ajani",    "Alaric",    "Amadi",   "Anders",  "Anton",    "Ari",     "Armand",
     "Asher",   "August",  "Azubuike", "Baptiste", "Basil",     "Bastian", "Beckett", "Benoît",   "Bjorn",   "Boris",
     "Brennan", "Bruno",   "Caleb",    "Callum",   "Cassius",   "Cedric",  "Chidi",   "Clement",  "Conrad",  "Cormac",
     "Curtis",  "Dacian",  "Damir",    "Darius",   "Davor",     "Declan",  "Demba",   "Desmond",  "Dmitri",  "Dorian",
     "Edmund",  "Efe",     "Elias",    "Emeka",    "Emil",      "Enzo",    "Eryk",    "Esteban",  "Ethan",   "Ezra",
     "Fabian",  "Farid",   "Felix",    "Finnian",  "Florian",   "Franco",  "Gael",    "Gideon",   "Goran",   "Gustav",
     "Hakeem",  "Hamza",   "Harlan",   "Hector",   "Hideo",     "Hugo",    "Ibrahim", "Idris",    "Ignacio", "Ilija",
     "Isaac",   "Ivo",     "Jabari",   "Jalil",    "Jarek",     "Jasper",  "Javier",  "Jericho",  "Joaquín", "Jomo",
     "Jonas",   "Jorah",   "Julius",   "Kaito",    "Kamau",     "Karim",   "Kaspar",  "Kenji",    "Khalid",  "Kofi",
     "Kwame",   "Lachlan", "Lars",     "Leandro",  "Leif",      "Lorenzo", "Lucien",  "Mahmoud",  "Malachi", "Mandla",
     "Marek",   "Mateus",  "Matthias", "Mehdi",    "Micah",     "Milan",   "Moussa",  "Nadir",    "Nikos",   "Noam",
     "Obinna",  "Octavio", "Olivier",  "Omar",     "Orlando",   "Oskar",   "Osman",   "Pascal",   "Pavel",   "Percy",
     "Quincy",  "Quintin", "Rafael",   "Ramiro",   "Rashid",    "Remy",    "Roland",  "Roman",    "Rurik",   "Sacha",
     "Salif",   "Samir",   "Santiago", "Sekou",    "Silas",     "Simeon",  "Soren",   "Stellan",  "Sven",    "Tadeo",
     "Tariq",   "Tavita",  "Thabo",    "Thaddeus", "Tobias",    "Tomás",   "Uriel",   "Valentin", "Vincent", "Wendell",
     "Wilhelm", "Xavier",  "Yannick",  "Yusuf",    "Zacharias", "Zane",    "Zlatko",  "Zubin"});

constexpr auto kFamily = std::to_array<std::string_view>(
    {"Abernethe",    "Adeyokun",     "Alderwyn",     "Amankora",    "Anselmaro",   "Arkwell",     "Ashgrove",
     "Aurelmont",    "Baldecchi",    "Balogund",     "Barrowmere",  "Bellacourt",  "Benkirov",    "Birkenvald",
     "Blackthornby", "Bolaginde",    "Bramholt",     "Brannoch",    "Brightwater", "Brodzinek",   "Calderonte",
     "Camberlane",   "Caravelli",    "Castellmar",   "Chukwuemba",  "Cinderhall",  "Coldwater",   "Corvallen",
     "Crossfjord",   "Dalgaardsen",  "Danforthy",    "Darkovac",    "Delacroisse", "Dembaye",     "Desrochelle",
     "Diabateau",    "Dragomire",    "Drummondsey",  "Dubravcic",   "Dunmorrow",   "Easterlund",  "Edgeworthy",
     "Egbuchike",    "Eikenberg",    "Eldergast",    "Ellingstad",  "Emberlyn",    "Espinhosa",   "Everhallow",
     "Fairbourne",   "Falkenrath",   "Fallowfield",  "Farragosa",   "Fenwickham",  "Ferrazzano",  "Fjellstrom",
     "Foxhollow",    "Frostvik",     "Galvarez",     "Garrowby",    "Gbajamilo",   "Gilderoy",    "Glasshaven",
     "Goldcrest",    "Gravenor",     "Greyholm",     "Grimaldeau",  "Guerrantes",  "Haldorsson",  "Harrowgate",
     "Hawksmere",    "Hazelbrook",   "Heatherstone", "Hollowell",   "Hoshikawa",   "Ibekwesi",    "Ikemefuna",
     "Ironbridge",   "Ivarsholm",    "Jankovatz",    "Jarrowmont",  "Jimenoza",    "Kaldermann",  "Kamarudeen",
     "Karavelas",    "Katsunaga",    "Kestrelby",    "Keitanga",    "Kingsholt",   "Kirovanek",   "Kobalenko",
     "Korsgaarden",  "Kravitsky",    "Kurogane",     "Lachenaud",   "Lagerquist",  "Lamonterre",  "Larkspur",
     "Lautrecque",   "Leclairmont",  "Lindqvistad",  "Lockridge",   "Longacre",    "Lundervold",  "Machadinho",
     "Maldovar",     "Mandelbrook",  "Maplethorne",  "Marchetta",   "Marovich",    "Mbalenhle",   "Mbekani",
     "Meadowcroft",  "Mensahene",    "Merriwick",    "Mirandola",   "Montclaire",  "Moorcastle",  "Moravcik",
     "Mossgrave",    "Nakagoshi",    "Navarrosa",    "Ndiayebe",    "Netherwood",  "Nightingate", "Nkosazana",
     "Northgate",    "Novakovar",    "Nwankwera",    "Oakenmoor",   "Obaseeki",    "Odhiambola",  "Okonjira",
     "Oldcastle",    "Olorunfemi",   "Onyekachi",    "Orsinelli",   "Osterhagen",  "Ottermoor",   "Oyelarune",
     "Paleologou",   "Pemberwick",   "Perivolas",    "Petrosyanov", "Pilgrimson",  "Pontevedro",  "Quarrington",
     "Quintavalle",  "Radomirov",    "Rainsford",    "Ravenscar",   "Redfernley",  "Ribeirinho",  "Ridgewater",
     "Roscommon",    "Rosenvinge",   "Rothesberg",   "Rybakovsky",  "Saltmarsh",   "Sandovalle",  "Santorelli",
     "Savaranto",    "Schattenberg", "Sedgewick",    "Selassiene",  "Shimokura",   "Silverdale",  "Skarsvold",
     "Soumahoro",    "Stanislaw",    "Starkovic",    "Stonebridge", "Stormgaard",  "Summerlea",   "Szymanowik",
     "Tallowmere",   "Tamaleko",     "Tanquerel",    "Thistlewood", "Thornbury",   "Tolentinez",  "Torvaldsen",
     "Trelawney",    "Tshabalani",   "Uchebuaku",    "Umberfield",  "Underhill",   "Valcourt",    "Valdemarsen",
     "Vandermeulen", "Varfolomeev",  "Vasconceli",   "Verhoevenne", "Vestergren",  "Vukcevatz",   "Wainscott",
     "Walkerton",    "Warrenby",     "Weatherall",   "Westergaard", "Whitlockson", "Wildermuth",  "Windermere",
     "Winterbourne", "Woodrushe",    "Wyndhamsey",   "Yamashiro",   "Yarborough",  "Yeboahene",   "Zabalawi",
     "Zelenkovic",   "Zimmerwald",   "Zorzetto",     "Åkervall",    "Żeromsky",    "Öberland",    "Ćosović"});

constexpr auto kOrigins = std::to_array<Origin>({{"USA", 70},
                                                 {"Canada", 5},
                                                 {"France", 4},
                                                 {"Serbia", 3},
                                                 {"Spain", 3},
                                                 {"Nigeria", 3},
                                                 {"Australia", 3},
                                                 {"Germany", 2},
                                                 {"Greece", 1},
                                                 {"Brazil", 1},
                                                 {"Senegal", 2},
                                                 {"Croatia", 1},
                                                 {"Japan", 1},
                                                 {"Latvia", 1}});

constexpr auto kColleges = std::to_array<std::string_view>(
    {"Ashford State",      "Bayview Tech",        "Blue Ridge College", "Cedar Valley",     "Coastal Atlantic",
     "Cumberland Central", "Delta State College", "Eastlake",           "Fort Harmon",      "Granite State Tech",
     "Great Plains State", "Harborview",          "Highland A&M",       "Iron Range State", "Kingsport College",
     "Lakeshore",          "Magnolia State",      "Mesa Verde",         "Northern Prairie", "Old Dominion Hill",
     "Pacific Ridge",      "Palmetto State",      "Pine Barrens",       "Red River State",  "Rockford Union",
     "Saint Brendan's",    "San Lucero",          "Sierra Madre State", "Tidewater",        "Western Summit"});

constexpr auto kAilments = std::to_array<std::string_view>(
    {"ankle sprain", "back spasms", "bruised hip", "calf strain", "concussion", "finger fracture", "groin strain",
     "hamstring strain", "illness", "knee sprain", "shoulder sprain", "wrist sprain"});

}  // namespace

std::span<const std::string_view> given_names() {
    return kGiven;
}

std::span<const std::string_view> family_names() {
    return kFamily;
}

std::span<const Origin> origins() {
    return kOrigins;
}

std::span<const std::string_view> colleges() {
    return kColleges;
}

std::span<const std::string_view> ailments() {
    return kAilments;
}

}  // namespace quaestor::demo
