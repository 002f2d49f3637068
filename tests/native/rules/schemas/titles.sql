-- With statistics: who won what, who was traded, who coached whom, by seasons that are called 2022-23.
CREATE TABLE team (team_id INTEGER PRIMARY KEY, name TEXT, city TEXT, founded_year INTEGER);
CREATE TABLE player (player_id INTEGER PRIMARY KEY, full_name TEXT, position TEXT, birth_date TEXT, height_cm INTEGER,
                     college TEXT, team_id INTEGER REFERENCES team (team_id));
CREATE TABLE coach (coach_id INTEGER PRIMARY KEY, full_name TEXT, birth_date TEXT);
CREATE TABLE season (season INTEGER PRIMARY KEY, label TEXT, champion_team_id INTEGER REFERENCES team (team_id));
CREATE TABLE team_coach (season INTEGER, team_id INTEGER REFERENCES team (team_id),
                         coach_id INTEGER REFERENCES coach (coach_id), PRIMARY KEY (season, team_id));
CREATE TABLE standing (season INTEGER, team_id INTEGER REFERENCES team (team_id), wins INTEGER, losses INTEGER,
                       home_wins INTEGER, home_losses INTEGER, PRIMARY KEY (season, team_id));
CREATE TABLE award (season INTEGER, award TEXT, player_id INTEGER REFERENCES player (player_id),
                    PRIMARY KEY (season, award));
CREATE TABLE salary (season INTEGER, player_id INTEGER REFERENCES player (player_id), salary INTEGER,
                     PRIMARY KEY (season, player_id));
CREATE TABLE player_season (season INTEGER, player_id INTEGER REFERENCES player (player_id), points_per_game REAL,
                            rebounds_per_game REAL, PRIMARY KEY (season, player_id));
CREATE TABLE trade (trade_id INTEGER PRIMARY KEY, season INTEGER, player_id INTEGER REFERENCES player (player_id));
INSERT INTO team VALUES (1, 'Mavericks', 'Lakeside', 1970), (2, 'Otters', 'Hilltop', 1981), (3, 'Rams', 'Bridgeton', 1966);
INSERT INTO player VALUES (1, 'Ana Brook', 'Center', '1995-03-01', 201, 'North', 1),
                          (2, 'Bo Castle', 'Guard', '1998-07-09', 185, 'South', 1),
                          (3, 'Cy Dune', 'Guard', '1993-11-21', 190, NULL, 2),
                          (4, 'Di Elm', 'Center', '2000-01-30', 207, 'North', 3),
                          (5, 'Ed Frost', 'Guard', '1990-05-05', 188, 'South', NULL);
INSERT INTO coach VALUES (1, 'Gus Hill', '1960-01-01'), (2, 'Ivy Jay', '1965-02-02'), (3, 'Kai Low', '1970-03-03');
INSERT INTO season VALUES (2022, '2021-22', 2), (2023, '2022-23', 1), (2024, '2023-24', 1);
INSERT INTO team_coach VALUES (2022, 1, 1), (2022, 2, 2), (2022, 3, 3), (2023, 1, 3), (2023, 2, 2), (2023, 3, 1),
                              (2024, 1, 3), (2024, 2, 1), (2024, 3, 2);
INSERT INTO standing VALUES (2022, 1, 20, 20, 12, 8), (2022, 2, 30, 10, 16, 4), (2022, 3, 10, 30, 7, 13),
                            (2023, 1, 28, 12, 15, 5), (2023, 2, 22, 18, 12, 8), (2023, 3, 10, 30, 6, 14),
                            (2024, 1, 25, 15, 14, 6), (2024, 2, 15, 25, 8, 12), (2024, 3, 20, 20, 11, 9);
INSERT INTO award VALUES (2022, 'Most Valuable Player', 3), (2023, 'Most Valuable Player', 1),
                         (2024, 'Most Valuable Player', 1), (2022, 'Best Newcomer', 2), (2023, 'Best Newcomer', 4),
                         (2024, 'Best Newcomer', 5);
INSERT INTO salary VALUES (2022, 1, 500), (2022, 2, 300), (2022, 3, 800), (2023, 1, 900), (2023, 2, 350), (2023, 4, 250),
                          (2024, 1, 950), (2024, 3, 700), (2024, 4, 400);
INSERT INTO player_season VALUES (2022, 1, 18.5, 9.0), (2022, 2, 9.0, 2.0), (2022, 3, 21.0, 4.0), (2023, 1, 22.0, 10.0),
                                 (2023, 2, 11.0, 2.5), (2023, 3, 17.0, 4.5), (2023, 4, 12.5, 11.0), (2024, 1, 24.0, 9.5),
                                 (2024, 3, 15.0, 4.0), (2024, 4, 16.0, 12.0);
INSERT INTO trade VALUES (1, 2022, 2), (2, 2023, 2), (3, 2023, 5), (4, 2024, 3), (5, 2024, 2);
