CREATE TABLE team (team_id INTEGER PRIMARY KEY, name TEXT, city TEXT, conference TEXT);
CREATE TABLE player (player_id INTEGER PRIMARY KEY, full_name TEXT, position TEXT, birth_date TEXT, height_cm INTEGER,
                     country TEXT, team_id INTEGER REFERENCES team (team_id));
CREATE TABLE player_season (season INTEGER, player_id INTEGER REFERENCES player (player_id),
                            team_id INTEGER REFERENCES team (team_id), points_per_game REAL, total_points INTEGER,
                            games_played INTEGER, PRIMARY KEY (season, player_id));
CREATE TABLE standing (season INTEGER, team_id INTEGER REFERENCES team (team_id), wins INTEGER, losses INTEGER,
                       PRIMARY KEY (season, team_id));
CREATE TABLE salary (season INTEGER, player_id INTEGER REFERENCES player (player_id),
                     team_id INTEGER REFERENCES team (team_id), salary INTEGER, PRIMARY KEY (season, player_id));
INSERT INTO team VALUES (1, 'Herons', 'Lakeside', 'East'), (2, 'Otters', 'Lakeside', 'West'), (3, 'Rams', 'Hilltop', 'West');
INSERT INTO player VALUES (1, 'Ana Brook', 'Center', '1995-03-01', 201, 'Spain', 1),
                          (2, 'Bo Castle', 'Point Guard', '1998-07-09', 185, 'Japan', 1),
                          (3, 'Cy Dune', 'Shooting Guard', '1993-11-21', 190, 'Spain', 2),
                          (4, 'Di Elm', 'Center', '2000-01-30', 207, 'Kenya', 3);
INSERT INTO player_season VALUES (2022, 1, 1, 18.5, 740, 40), (2022, 2, 1, 9.0, 360, 40), (2022, 3, 2, 21.0, 630, 30),
                                 (2022, 4, 3, 12.5, 500, 40), (2023, 1, 1, 20.0, 800, 40), (2023, 2, 1, 11.0, 440, 40),
                                 (2023, 3, 2, 17.0, 680, 40), (2023, 4, 3, 22.5, 675, 30);
INSERT INTO standing VALUES (2022, 1, 30, 10), (2022, 2, 22, 18), (2022, 3, 8, 32), (2023, 1, 19, 21), (2023, 2, 25, 15),
                            (2023, 3, 16, 24);
INSERT INTO salary VALUES (2022, 1, 1, 900), (2022, 2, 1, 300), (2022, 3, 2, 800), (2022, 4, 3, 250), (2023, 1, 1, 950),
                          (2023, 2, 1, 350), (2023, 3, 2, 700), (2023, 4, 3, 990);
