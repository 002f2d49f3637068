-- Nations, towns, peaks, rivers, frontiers between two nations, and the tongues spoken. Figures are rounded.
-- engine: duckdb

CREATE TABLE nations (
    code VARCHAR PRIMARY KEY, nation VARCHAR, continent VARCHAR, capital VARCHAR, area_km2 INTEGER, population BIGINT,
    gdp_bn INTEGER, independent_since DATE);

INSERT INTO nations VALUES
    ('FR', 'France', 'Europe', 'Paris', 551695, 67800000, 2783, NULL),
    ('DE', 'Germany', 'Europe', 'Berlin', 357592, 83200000, 4082, NULL),
    ('ES', 'Spain', 'Europe', 'Madrid', 505990, 47400000, 1418, NULL),
    ('PT', 'Portugal', 'Europe', 'Lisbon', 92212, 10300000, 255, NULL),
    ('IT', 'Italy', 'Europe', 'Rome', 301340, 58900000, 2050, NULL),
    ('CH', 'Switzerland', 'Europe', 'Bern', 41285, 8700000, 818, NULL),
    ('AT', 'Austria', 'Europe', 'Vienna', 83879, 9000000, 471, NULL),
    ('NL', 'Netherlands', 'Europe', 'Amsterdam', 41850, 17500000, 1009, NULL),
    ('HU', 'Hungary', 'Europe', 'Budapest', 93030, 9700000, 178, NULL),
    ('IS', 'Iceland', 'Europe', 'Reykjavik', 103000, 380000, 28, '1944-06-17'),
    ('BR', 'Brazil', 'South America', 'Brasilia', 8515767, 215300000, 1920, '1822-09-07'),
    ('AR', 'Argentina', 'South America', 'Buenos Aires', 2780400, 46200000, 631, '1816-07-09'),
    ('PE', 'Peru', 'South America', 'Lima', 1285216, 34000000, 243, '1821-07-28'),
    ('BO', 'Bolivia', 'South America', 'Sucre', 1098581, 12200000, 44, '1825-08-06'),
    ('CL', 'Chile', 'South America', 'Santiago', 756102, 19600000, 301, '1818-02-12'),
    ('EG', 'Egypt', 'Africa', 'Cairo', 1010408, 111000000, 477, '1922-02-28'),
    ('SD', 'Sudan', 'Africa', 'Khartoum', 1861484, 46900000, 51, '1956-01-01'),
    ('ET', 'Ethiopia', 'Africa', 'Addis Ababa', 1104300, 123400000, 127, NULL),
    ('KE', 'Kenya', 'Africa', 'Nairobi', 580367, 54000000, 113, '1963-12-12'),
    ('UG', 'Uganda', 'Africa', 'Kampala', 241038, 47200000, 46, '1962-10-09'),
    ('TZ', 'Tanzania', 'Africa', 'Dodoma', 945087, 65500000, 76, '1961-12-09'),
    ('IN', 'India', 'Asia', 'New Delhi', 3287263, 1417200000, 3385, '1947-08-15'),
    ('NP', 'Nepal', 'Asia', 'Kathmandu', 147181, 30500000, 41, NULL),
    ('CN', 'China', 'Asia', 'Beijing', 9596961, 1412200000, 17963, NULL),
    ('JP', 'Japan', 'Asia', 'Tokyo', 377975, 125100000, 4231, NULL),
    ('MN', 'Mongolia', 'Asia', 'Ulaanbaatar', 1564116, 3400000, 17, '1911-12-29'),
    ('AU', 'Australia', 'Oceania', 'Canberra', 7692024, 26000000, 1675, '1901-01-01'),
    ('NZ', 'New Zealand', 'Oceania', 'Wellington', 268021, 5100000, 247, '1907-09-26');

CREATE TABLE towns (
    town_id INTEGER PRIMARY KEY, town VARCHAR, nation_code VARCHAR REFERENCES nations (code), inhabitants INTEGER,
    elev_m INTEGER, is_port BOOLEAN);

INSERT INTO towns VALUES
    (1, 'Paris', 'FR', 2102650, 35, FALSE), (2, 'Marseille', 'FR', 873076, 12, TRUE),
    (3, 'Lyon', 'FR', 522250, 173, FALSE), (4, 'Nice', 'FR', 342669, 10, TRUE),
    (5, 'Berlin', 'DE', 3755251, 34, FALSE), (6, 'Hamburg', 'DE', 1892122, 6, TRUE),
    (7, 'Munich', 'DE', 1512491, 520, FALSE), (8, 'Cologne', 'DE', 1084831, 53, TRUE),
    (9, 'Madrid', 'ES', 3332035, 657, FALSE), (10, 'Barcelona', 'ES', 1660122, 12, TRUE),
    (11, 'Valencia', 'ES', 807693, 15, TRUE), (12, 'Lisbon', 'PT', 545796, 2, TRUE),
    (13, 'Porto', 'PT', 231800, 104, TRUE), (14, 'Rome', 'IT', 2748109, 21, FALSE),
    (15, 'Naples', 'IT', 913462, 17, TRUE), (16, 'Milan', 'IT', 1354196, 120, FALSE),
    (17, 'Genoa', 'IT', 558745, 19, TRUE), (18, 'Zurich', 'CH', 427721, 408, FALSE),
    (19, 'Bern', 'CH', 134591, 540, FALSE), (20, 'Vienna', 'AT', 1982097, 151, TRUE),
    (21, 'Graz', 'AT', 298479, 353, FALSE), (22, 'Amsterdam', 'NL', 918117, -2, TRUE),
    (23, 'Rotterdam', 'NL', 663900, 0, TRUE), (24, 'Budapest', 'HU', 1682426, 96, TRUE),
    (25, 'Reykjavik', 'IS', 139875, 15, TRUE), (26, 'Sao Paulo', 'BR', 11451999, 760, FALSE),
    (27, 'Rio de Janeiro', 'BR', 6211223, 2, TRUE), (28, 'Brasilia', 'BR', 2817381, 1172, FALSE),
    (29, 'Manaus', 'BR', 2063689, 92, TRUE), (30, 'Buenos Aires', 'AR', 3121707, 25, TRUE),
    (31, 'Cordoba', 'AR', 1505250, 390, FALSE), (32, 'Lima', 'PE', 10092000, 154, TRUE),
    (33, 'Cusco', 'PE', 428450, 3399, FALSE), (34, 'La Paz', 'BO', 755732, 3640, FALSE),
    (35, 'Santiago', 'CL', 6269384, 570, FALSE), (36, 'Valparaiso', 'CL', 296655, 10, TRUE),
    (37, 'Cairo', 'EG', 9540000, 23, FALSE), (38, 'Alexandria', 'EG', 5200000, 5, TRUE),
    (39, 'Khartoum', 'SD', 5274321, 381, FALSE), (40, 'Addis Ababa', 'ET', 3945000, 2355, FALSE),
    (41, 'Nairobi', 'KE', 4397073, 1795, FALSE), (42, 'Mombasa', 'KE', 1208333, 50, TRUE),
    (43, 'Kampala', 'UG', 1680600, 1190, FALSE), (44, 'Dar es Salaam', 'TZ', 5383728, 24, TRUE),
    (45, 'Mumbai', 'IN', 12478447, 14, TRUE), (46, 'Delhi', 'IN', 11034555, 216, FALSE),
    (47, 'Kolkata', 'IN', 4496694, 9, TRUE), (48, 'Chennai', 'IN', 4646732, 7, TRUE),
    (49, 'Kathmandu', 'NP', 845767, 1400, FALSE), (50, 'Shanghai', 'CN', 24870895, 4, TRUE),
    (51, 'Beijing', 'CN', 21893095, 44, FALSE), (52, 'Wuhan', 'CN', 12326518, 37, TRUE),
    (53, 'Tokyo', 'JP', 14094034, 40, TRUE), (54, 'Osaka', 'JP', 2753862, 24, TRUE),
    (55, 'Sapporo', 'JP', 1959750, 29, FALSE), (56, 'Ulaanbaatar', 'MN', 1466125, 1350, FALSE),
    (57, 'Sydney', 'AU', 5297089, 3, TRUE), (58, 'Melbourne', 'AU', 5031195, 31, TRUE),
    (59, 'Canberra', 'AU', 456692, 578, FALSE), (60, 'Auckland', 'NZ', 1440300, NULL, TRUE),
    (61, 'Wellington', 'NZ', 212000, NULL, TRUE);

CREATE TABLE peaks (
    peak VARCHAR PRIMARY KEY, nation_code VARCHAR REFERENCES nations (code), height_m INTEGER, first_climbed INTEGER);

INSERT INTO peaks VALUES
    ('Mont Blanc', 'FR', 4806, 1786), ('Zugspitze', 'DE', 2962, 1820), ('Mulhacen', 'ES', 3479, NULL),
    ('Teide', 'ES', 3715, 1582), ('Gran Paradiso', 'IT', 4061, 1860), ('Etna', 'IT', 3357, NULL),
    ('Matterhorn', 'CH', 4478, 1865), ('Dufourspitze', 'CH', 4634, 1855), ('Eiger', 'CH', 3967, 1858),
    ('Grossglockner', 'AT', 3798, 1800), ('Aconcagua', 'AR', 6961, 1897), ('Huascaran', 'PE', 6768, 1932),
    ('Illimani', 'BO', 6438, 1898), ('Sajama', 'BO', 6542, 1939), ('Ojos del Salado', 'CL', 6893, 1937),
    ('Ras Dashen', 'ET', 4550, 1841), ('Mount Kenya', 'KE', 5199, 1899), ('Kilimanjaro', 'TZ', 5895, 1889),
    ('Kangchenjunga', 'IN', 8586, 1955), ('Nanda Devi', 'IN', 7816, 1936), ('Mount Everest', 'NP', 8849, 1953),
    ('Lhotse', 'NP', 8516, 1956), ('Makalu', 'NP', 8485, 1955), ('Annapurna', 'NP', 8091, 1950),
    ('Shishapangma', 'CN', 8027, 1964), ('Mount Fuji', 'JP', 3776, 663), ('Kosciuszko', 'AU', 2228, 1840),
    ('Aoraki', 'NZ', 3724, 1894);

CREATE TABLE rivers (river_id INTEGER PRIMARY KEY, river VARCHAR, length_km INTEGER, flows_into VARCHAR);

INSERT INTO rivers VALUES
    (1, 'Rhine', 1233, 'North Sea'), (2, 'Danube', 2850, 'Black Sea'), (3, 'Loire', 1006, 'Atlantic Ocean'),
    (4, 'Tagus', 1007, 'Atlantic Ocean'), (5, 'Ebro', 930, 'Mediterranean Sea'), (6, 'Po', 652, 'Adriatic Sea'),
    (7, 'Rhone', 813, 'Mediterranean Sea'), (8, 'Elbe', 1094, 'North Sea'), (9, 'Amazon', 6400, 'Atlantic Ocean'),
    (10, 'Madeira', 3250, NULL), (11, 'Parana', 4880, 'Atlantic Ocean'), (12, 'Nile', 6650, 'Mediterranean Sea'),
    (13, 'Blue Nile', 1450, NULL), (14, 'Ganges', 2525, 'Bay of Bengal'), (15, 'Brahmaputra', 2900, 'Bay of Bengal'),
    (16, 'Yangtze', 6300, 'East China Sea'), (17, 'Yellow River', 5464, 'Bohai Sea'),
    (18, 'Murray', 2508, 'Indian Ocean'), (19, 'Shinano', 367, 'Sea of Japan'), (20, 'Orkhon', 1124, NULL);

CREATE TABLE river_nations (
    river_id INTEGER REFERENCES rivers (river_id), nation_code VARCHAR REFERENCES nations (code),
    PRIMARY KEY (river_id, nation_code));

INSERT INTO river_nations VALUES
    (1, 'CH'), (1, 'DE'), (1, 'FR'), (1, 'NL'), (1, 'AT'), (2, 'DE'), (2, 'AT'), (2, 'HU'), (3, 'FR'), (4, 'ES'),
    (4, 'PT'), (5, 'ES'), (6, 'IT'), (7, 'CH'), (7, 'FR'), (8, 'DE'), (9, 'PE'), (9, 'BR'), (10, 'BO'), (10, 'BR'),
    (11, 'BR'), (11, 'AR'), (12, 'UG'), (12, 'SD'), (12, 'EG'), (12, 'ET'), (13, 'ET'), (13, 'SD'), (14, 'IN'),
    (15, 'CN'), (15, 'IN'), (16, 'CN'), (17, 'CN'), (18, 'AU'), (19, 'JP'), (20, 'MN');

CREATE TABLE frontiers (
    nation_a VARCHAR REFERENCES nations (code), nation_b VARCHAR REFERENCES nations (code), km INTEGER,
    PRIMARY KEY (nation_a, nation_b));

INSERT INTO frontiers VALUES
    ('FR', 'DE', 448), ('FR', 'ES', 623), ('FR', 'IT', 515), ('FR', 'CH', 573), ('FR', 'BR', 730), ('DE', 'CH', 334),
    ('DE', 'AT', 784), ('DE', 'NL', 577), ('ES', 'PT', 1214), ('IT', 'CH', 740), ('IT', 'AT', 430), ('CH', 'AT', 164),
    ('AT', 'HU', 366), ('BR', 'AR', 1261), ('BR', 'PE', 2995), ('BR', 'BO', 3423), ('AR', 'BO', 832),
    ('AR', 'CL', 5308), ('PE', 'BO', 1075), ('PE', 'CL', 171), ('BO', 'CL', 861), ('EG', 'SD', 1276),
    ('SD', 'ET', 769), ('ET', 'KE', 861), ('KE', 'UG', 933), ('KE', 'TZ', 769), ('UG', 'TZ', 396), ('IN', 'NP', 1770),
    ('IN', 'CN', 2659), ('NP', 'CN', 1414), ('CN', 'MN', 4630);

CREATE TABLE tongues (
    nation_code VARCHAR REFERENCES nations (code), tongue VARCHAR, pct DOUBLE, is_official BOOLEAN,
    PRIMARY KEY (nation_code, tongue));

INSERT INTO tongues VALUES
    ('FR', 'French', 97, TRUE), ('DE', 'German', 95, TRUE), ('ES', 'Spanish', 89, TRUE), ('ES', 'Catalan', 9, FALSE),
    ('PT', 'Portuguese', 96, TRUE), ('IT', 'Italian', 93, TRUE), ('CH', 'German', 62, TRUE),
    ('CH', 'French', 23, TRUE), ('CH', 'Italian', 8, TRUE), ('CH', 'Romansh', 0.5, TRUE), ('AT', 'German', 93, TRUE),
    ('NL', 'Dutch', 91, TRUE), ('NL', 'Frisian', 3, TRUE), ('HU', 'Hungarian', 98, TRUE),
    ('IS', 'Icelandic', 93, TRUE), ('BR', 'Portuguese', 97, TRUE), ('AR', 'Spanish', 96, TRUE),
    ('PE', 'Spanish', 83, TRUE), ('PE', 'Quechua', 14, TRUE), ('BO', 'Spanish', 68, TRUE), ('BO', 'Quechua', 17, TRUE),
    ('BO', 'Aymara', 10, TRUE), ('CL', 'Spanish', 99, TRUE), ('EG', 'Arabic', 95, TRUE), ('SD', 'Arabic', 70, TRUE),
    ('SD', 'English', 5, TRUE), ('ET', 'Amharic', 32, TRUE), ('ET', 'Oromo', 34, FALSE), ('KE', 'Swahili', 65, TRUE),
    ('KE', 'English', 20, TRUE), ('UG', 'English', 29, TRUE), ('UG', 'Swahili', 18, TRUE), ('TZ', 'Swahili', 90, TRUE),
    ('TZ', 'English', 10, TRUE), ('IN', 'Hindi', 44, TRUE), ('IN', 'English', 11, TRUE), ('IN', 'Bengali', 8, FALSE),
    ('NP', 'Nepali', 45, TRUE), ('CN', 'Mandarin', 70, TRUE), ('CN', 'Cantonese', 6, FALSE),
    ('JP', 'Japanese', 99, TRUE), ('MN', 'Mongolian', 95, TRUE), ('AU', 'English', 73, FALSE),
    ('NZ', 'English', 95, TRUE), ('NZ', 'Maori', 4, TRUE);
