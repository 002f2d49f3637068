-- Each statement gives a figure of the full league and the bounds between which a real league's would lie.

-- Rows of player box scores.
SELECT count(*), 90000, 140000 FROM player_game_stats;

-- Points of a team in a game.
SELECT avg(points), 105, 120 FROM team_game_stats;

-- The margin's spread.
SELECT stddev(home_points - away_points), 11, 15 FROM games;

-- Field goal percentage.
SELECT sum(field_goals_made) / sum(field_goals_attempted), 0.45, 0.50 FROM team_game_stats;

-- Three-point percentage.
SELECT sum(three_pointers_made) / sum(three_pointers_attempted), 0.33, 0.38 FROM team_game_stats;

-- Free throw percentage.
SELECT sum(free_throws_made) / sum(free_throws_attempted), 0.74, 0.80 FROM team_game_stats;

-- Assists, rebounds and turnovers of a team in a game.
SELECT avg(assists), 22, 29 FROM team_game_stats;
SELECT avg(rebounds), 41, 49 FROM team_game_stats;
SELECT avg(turnovers), 11, 15 FROM team_game_stats;

-- Possessions of a team in a game.
SELECT avg(possessions), 95, 104 FROM team_game_stats;

-- The home team wins more often.
SELECT avg((winner_team_id = home_team_id)::INTEGER), 0.53, 0.64 FROM games;

-- Who played yesterday wins less often.
SELECT avg(is_win::INTEGER), 0.38, 0.49 FROM team_game_stats WHERE rest_days = 0;

-- Some games go to overtime.
SELECT avg((overtime_periods > 0)::INTEGER), 0.015, 0.08 FROM games;

-- The best and the worst records.
SELECT max(win_pct), 0.62, 0.90 FROM standings;
SELECT min(win_pct), 0.12, 0.38 FROM standings;

-- The best scorer's, rebounder's and passer's averages in a season.
SELECT max(points_per_game), 25, 37 FROM player_season_stats WHERE games_played > 40;
SELECT max(rebounds_per_game), 11, 18 FROM player_season_stats WHERE games_played > 40;
SELECT max(assists_per_game), 8, 13 FROM player_season_stats WHERE games_played > 40;

-- Nobody plays every minute.
SELECT max(minutes_per_game), 34, 41 FROM player_season_stats WHERE games_played > 40;

-- Guards pass more than centers, who rebound more.
SELECT avg(assists) FILTER (position = 'Point Guard') / avg(assists) FILTER (position = 'Center'), 2, 8
FROM player_game_stats JOIN players USING (player_id);
SELECT avg(rebounds) FILTER (position = 'Center') / avg(rebounds) FILTER (position = 'Point Guard'), 1.5, 4
FROM player_game_stats JOIN players USING (player_id);

-- What a team pays its players in a season, in millions.
SELECT sum(salary) / 150000000, 110, 190 FROM salaries;

-- Better players earn more.
SELECT corr(salary, points_per_game), 0.4, 0.95 FROM salaries JOIN player_season_stats USING (season, player_id);

-- Early picks become better players.
SELECT avg(points_per_game) FILTER (overall_pick <= 10) - avg(points_per_game) FILTER (overall_pick > 40), 2, 15
FROM draft_picks JOIN player_season_stats USING (player_id);

-- Some values are missing, as they are in real data.
SELECT avg((college IS NULL)::INTEGER), 0.1, 0.5 FROM players;
SELECT avg((attendance IS NULL)::INTEGER), 0.02, 0.2 FROM games;
SELECT avg((return_date IS NULL)::INTEGER), 0.005, 0.1 FROM injuries;

-- Ages in a season.
SELECT min(season - year(birth_date)), 18, 21 FROM player_season_stats JOIN players USING (player_id);
SELECT max(season - year(birth_date)), 34, 41 FROM player_season_stats JOIN players USING (player_id);
