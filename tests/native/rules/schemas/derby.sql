-- With statistics: games with two sides, amounts and seasons kept as texts.
CREATE TABLE club (id TEXT PRIMARY KEY, full_name TEXT, nickname TEXT, city TEXT);
CREATE TABLE skater (id TEXT PRIMARY KEY, full_name TEXT, height TEXT, weight TEXT, height_cm INTEGER, birthdate TEXT);
CREATE TABLE bout (bout_id TEXT PRIMARY KEY, season_id TEXT, bout_date TEXT, club_id_home TEXT REFERENCES club (id),
                   pts_home INTEGER, wl_home TEXT, club_id_away TEXT REFERENCES club (id), pts_away INTEGER, wl_away TEXT,
                   kind TEXT);
CREATE TABLE bout_info (bout_id TEXT REFERENCES bout (bout_id), attendance INTEGER);
CREATE TABLE signing_history (skater_id TEXT REFERENCES skater (id), season TEXT, round_number INTEGER,
                              round_pick INTEGER, overall_pick INTEGER, club_id TEXT REFERENCES club (id),
                              signing_type TEXT);
CREATE TABLE judge (bout_id TEXT REFERENCES bout (bout_id), first_name TEXT, last_name TEXT);
CREATE TABLE club_details (club_id TEXT REFERENCES club (id), nickname TEXT, rink TEXT, rink_capacity INTEGER,
                           headcoach TEXT, owner TEXT, jersey TEXT);
INSERT INTO club VALUES ('11', 'Harbour Gulls', 'Gulls', 'Harbour'), ('12', 'Mill Foxes', 'Foxes', 'Mill'),
                        ('13', 'Tower Owls', 'Owls', 'Tower');
INSERT INTO skater VALUES ('1', 'Ada Birch', '5-9', '140', 175, '1998-04-01'), ('2', 'Bea Cole', '5-11', '165', 180, '1995-02-11'),
                          ('3', 'Cat Dale', '6-1', '98', 185, '2001-09-30');
INSERT INTO bout VALUES ('b1', '22021', '2021-10-02', '11', 150, 'W', '12', 120, 'L', 'Regular Season'),
                        ('b2', '22021', '2022-03-05', '12', 180, 'W', '11', 100, 'L', 'Regular Season'),
                        ('b3', '22022', '2022-10-08', '13', 90, 'L', '11', 130, 'W', 'Regular Season'),
                        ('b4', '22022', '2023-02-18', '12', 140, 'W', '13', 135, 'L', 'Regular Season'),
                        ('b6', '22022', '2023-03-11', '13', 105, 'L', '12', 125, 'W', 'Regular Season'),
                        ('b5', '42022', '2023-05-20', '11', 160, 'W', '12', 110, 'L', 'Playoffs');
INSERT INTO bout_info VALUES ('b1', 500), ('b2', 300), ('b3', 250), ('b4', 410), ('b5', 900), ('b6', 260);
INSERT INTO signing_history VALUES ('1', '2019', 1, 2, 2, '11', 'Open'), ('2', '2019', 1, 1, 1, '12', 'Open'),
                                   ('3', '2020', 2, 1, 4, '11', 'Open');
INSERT INTO judge VALUES ('b1', 'Ida', 'Moss'), ('b2', 'Ida', 'Moss'), ('b3', 'Ida', 'Moss'), ('b4', 'Jan', 'Nord'),
                         ('b5', 'Ida', 'Moss');
INSERT INTO club_details VALUES ('11', 'Gulls', 'Pier Rink', 1200, 'Mae West', 'Pia Ruud', 'red'), ('12', 'Foxes', 'Mill Hall', 2500, 'Ned Park', 'Rex Shaw', 'grey'),
                                ('13', 'Owls', 'Tower Dome', 900, 'Oda Quist', 'Sol Tan', 'blue');
