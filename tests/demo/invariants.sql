-- Each statement counts the rows that break the rule above it: there must be none.

-- Points follow from the shots.
SELECT count(*) FROM player_game_stats
WHERE points <> 2 * (field_goals_made - three_pointers_made) + 3 * three_pointers_made + free_throws_made;

-- Nobody makes more than he tries, and threes are field goals.
SELECT count(*) FROM player_game_stats
WHERE field_goals_made > field_goals_attempted OR three_pointers_made > three_pointers_attempted
   OR free_throws_made > free_throws_attempted OR three_pointers_made > field_goals_made
   OR three_pointers_attempted > field_goals_attempted;

-- Rebounds are the sum of both kinds, nothing is negative, and six fouls are the most.
SELECT count(*) FROM player_game_stats
WHERE rebounds <> offensive_rebounds + defensive_rebounds OR personal_fouls NOT BETWEEN 0 AND 6
   OR least(minutes - 1, field_goals_made, free_throws_made, offensive_rebounds, defensive_rebounds, assists, steals,
            blocks, turnovers) < 0;

-- A team is on the court five at a time, for 48 minutes and five for each overtime, and begins with five.
SELECT count(*) FROM (
    SELECT game_id, team_id FROM player_game_stats JOIN games USING (game_id) GROUP BY game_id, team_id, overtime_periods
    HAVING sum(minutes) <> 5 * (48 + 5 * overtime_periods) OR max(minutes) > 48 + 5 * overtime_periods
        OR count(*) FILTER (is_starter) <> 5);

-- Team rows are the sums of player rows.
SELECT count(*) FROM team_game_stats AS t
WHERE (t.points, t.field_goals_made, t.field_goals_attempted, t.three_pointers_made, t.three_pointers_attempted,
       t.free_throws_made, t.free_throws_attempted, t.rebounds, t.assists, t.steals, t.blocks, t.turnovers,
       t.personal_fouls) IS DISTINCT FROM (
    SELECT (sum(points), sum(field_goals_made), sum(field_goals_attempted), sum(three_pointers_made),
            sum(three_pointers_attempted), sum(free_throws_made), sum(free_throws_attempted), sum(rebounds), sum(assists),
            sum(steals), sum(blocks), sum(turnovers), sum(personal_fouls))
    FROM player_game_stats AS p WHERE p.game_id = t.game_id AND p.team_id = t.team_id);

-- Every game has two team rows, of the two teams that met.
SELECT count(*) FROM games AS g
WHERE (SELECT count(*) FROM team_game_stats AS t WHERE t.game_id = g.game_id
       AND ((t.team_id = home_team_id AND t.opponent_team_id = away_team_id AND t.is_home AND t.points = home_points
             AND t.opponent_points = away_points)
         OR (t.team_id = away_team_id AND t.opponent_team_id = home_team_id AND NOT t.is_home AND t.points = away_points
             AND t.opponent_points = home_points))
       AND t.is_win = (t.team_id = winner_team_id)) <> 2;

-- There are no ties, and who has more points has won.
SELECT count(*) FROM games
WHERE home_points = away_points OR home_team_id = away_team_id
   OR winner_team_id <> if(home_points > away_points, home_team_id, away_team_id);

-- What a team gains is shared by the five on the court.
SELECT count(*) FROM (
    SELECT game_id, team_id FROM player_game_stats JOIN team_game_stats AS t USING (game_id, team_id)
    GROUP BY game_id, team_id, t.points, t.opponent_points
    HAVING sum(plus_minus) <> 5 * (t.points - t.opponent_points));

-- Made shots bound assists, steals are turnovers of the others, blocks their misses.
SELECT count(*) FROM team_game_stats AS t JOIN team_game_stats AS o ON o.game_id = t.game_id AND o.team_id = t.opponent_team_id
WHERE t.assists > t.field_goals_made OR t.steals > o.turnovers
   OR t.blocks > o.field_goals_attempted - o.field_goals_made;

-- Nobody plays twice a day, and rest days are the days between.
SELECT count(*) FROM (
    SELECT rest_days, game_date - lag(game_date) OVER (PARTITION BY season, team_id ORDER BY game_date) - 1 AS gap
    FROM team_game_stats JOIN games USING (game_id))
WHERE rest_days IS DISTINCT FROM gap OR gap < 0;

-- Game numbers follow the days.
SELECT count(*) FROM (SELECT game_date, lag(game_date) OVER (ORDER BY game_id) AS before FROM games)
WHERE game_date < before;

-- Games are played at home, in their season, by no more people than there are seats.
SELECT count(*) FROM games AS g JOIN teams AS h ON h.team_id = g.home_team_id JOIN arenas AS a ON a.arena_id = g.arena_id
JOIN seasons AS s USING (season)
WHERE g.arena_id <> h.arena_id OR game_date NOT BETWEEN s.start_date AND s.end_date OR attendance > capacity
   OR (game_type = 'Regular Season') <> (game_date <= regular_season_end_date);

-- Every team plays all its games, half of them at home.
SELECT count(*) FROM (
    SELECT season, team_id FROM team_game_stats JOIN games USING (game_id) JOIN seasons USING (season)
    WHERE game_type = 'Regular Season' GROUP BY season, team_id, games_per_team
    HAVING count(*) <> games_per_team OR count(*) FILTER (is_home) * 2 <> games_per_team);

-- Standings follow from the games.
SELECT count(*) FROM standings AS s
WHERE (wins, losses, home_wins, home_losses, away_wins, away_losses) IS DISTINCT FROM (
    SELECT (count(*) FILTER (winner_team_id = s.team_id), count(*) FILTER (winner_team_id <> s.team_id),
            count(*) FILTER (home_team_id = s.team_id AND winner_team_id = s.team_id),
            count(*) FILTER (home_team_id = s.team_id AND winner_team_id <> s.team_id),
            count(*) FILTER (away_team_id = s.team_id AND winner_team_id = s.team_id),
            count(*) FILTER (away_team_id = s.team_id AND winner_team_id <> s.team_id))
    FROM games AS g WHERE g.season = s.season AND game_type = 'Regular Season'
    AND s.team_id IN (home_team_id, away_team_id))
   OR abs(win_pct - wins / (wins + losses)) > 0.00005;

-- Places are 1, 2, 3 … in each conference, and more wins are a better place.
SELECT count(*) FROM standings AS a JOIN teams AS ta USING (team_id)
JOIN standings AS b ON b.season = a.season AND b.team_id <> a.team_id JOIN teams AS tb ON tb.team_id = b.team_id
WHERE ta.conference = tb.conference AND (a.conference_rank = b.conference_rank
   OR (a.wins > b.wins AND a.conference_rank > b.conference_rank)
   OR (ta.division = tb.division AND a.wins > b.wins AND a.division_rank > b.division_rank));

-- The best of each conference are in the playoffs, and nobody else.
SELECT count(*) FROM standings AS s JOIN teams USING (team_id)
WHERE made_playoffs <> (conference_rank <= (SELECT if(count(*) = 30, 8, 2) FROM teams));

-- Playoff series end with the fourth win, and the games say who won.
SELECT count(*) FROM playoff_series AS s
WHERE (SELECT count(*) FROM games AS g WHERE g.series_id = s.series_id) <> games_played OR games_played NOT BETWEEN 4 AND 7
   OR (SELECT count(*) FROM games AS g WHERE g.series_id = s.series_id AND g.winner_team_id = s.winner_team_id) <> 4
   OR (SELECT winner_team_id FROM games AS g WHERE g.series_id = s.series_id ORDER BY game_id DESC LIMIT 1) <> winner_team_id;

-- Who won the Finals is the champion.
SELECT count(*) FROM seasons AS s
WHERE champion_team_id IS DISTINCT FROM (
    SELECT winner_team_id FROM playoff_series AS p WHERE p.season = s.season AND round = 'Finals');

-- Season figures of players follow from their regular season games.
SELECT count(*) FROM player_season_stats AS s JOIN (
    SELECT season, player_id, count(*) AS games, count(*) FILTER (is_starter) AS starts, avg(minutes) AS minutes,
           avg(points) AS points, avg(rebounds) AS rebounds, avg(assists) AS assists, avg(steals) AS steals,
           avg(blocks) AS blocks, avg(turnovers) AS turnovers, sum(points) AS total_points,
           sum(field_goals_made) / nullif(sum(field_goals_attempted), 0) AS fg,
           sum(three_pointers_made) / nullif(sum(three_pointers_attempted), 0) AS tp,
           sum(free_throws_made) / nullif(sum(free_throws_attempted), 0) AS ft
    FROM player_game_stats JOIN games USING (game_id) WHERE game_type = 'Regular Season' GROUP BY season, player_id) AS g
    USING (season, player_id)
WHERE s.games_played <> games OR s.games_started <> starts OR s.total_points <> g.total_points
   OR greatest(abs(minutes_per_game - minutes), abs(points_per_game - points), abs(rebounds_per_game - rebounds),
               abs(assists_per_game - assists), abs(steals_per_game - steals), abs(blocks_per_game - blocks),
               abs(turnovers_per_game - turnovers)) > 0.0005001
   OR greatest(abs(field_goal_pct - fg), abs(three_point_pct - tp), abs(free_throw_pct - ft)) > 0.00005001;

-- Nobody who played in a regular season is left out of the season figures, and nobody else is in them.
SELECT abs((SELECT count(*) FROM player_season_stats) -
           (SELECT count(DISTINCT (season, player_id)) FROM player_game_stats JOIN games USING (game_id)
            WHERE game_type = 'Regular Season'));

-- Season figures of teams follow from their games.
SELECT count(*) FROM team_season_stats AS s JOIN (
    SELECT season, team_id, count(*) AS games, avg(points) AS points, avg(opponent_points) AS allowed,
           sum(field_goals_made) / sum(field_goals_attempted) AS fg,
           100 * sum(points) / sum(field_goals_attempted - offensive_rebounds + turnovers + 0.44 * free_throws_attempted)
               AS rating
    FROM team_game_stats JOIN games USING (game_id) WHERE game_type = 'Regular Season' GROUP BY season, team_id) AS g
    USING (season, team_id)
WHERE s.games_played <> games OR abs(points_per_game - points) > 0.0005001 OR abs(field_goal_pct - fg) > 0.00005001
   OR abs(opponent_points_per_game - allowed) > 0.0005001 OR abs(offensive_rating - rating) > 0.0006
   OR abs(net_rating - (offensive_rating - defensive_rating)) > 0.0006;

-- Nobody plays on a day on which he is out.
SELECT count(*) FROM injuries AS i JOIN player_game_stats AS p USING (player_id) JOIN games AS g USING (game_id)
WHERE g.season = i.season AND g.game_date > i.injured_date AND (i.return_date IS NULL OR g.game_date < i.return_date);

-- Each injury happened in a game that he played for that team.
SELECT count(*) FROM injuries AS i
WHERE NOT EXISTS (SELECT 1 FROM player_game_stats AS p JOIN games AS g USING (game_id)
                  WHERE p.player_id = i.player_id AND p.team_id = i.team_id AND g.game_date = i.injured_date);

-- Nobody plays for two teams on a day, nor for one that never had him under contract or traded for him.
SELECT count(*) FROM (SELECT DISTINCT season, player_id, team_id FROM player_game_stats JOIN games USING (game_id)) AS p
WHERE NOT EXISTS (SELECT 1 FROM salaries AS s
                  WHERE s.season = p.season AND s.player_id = p.player_id AND s.team_id = p.team_id)
  AND NOT EXISTS (SELECT 1 FROM transactions AS t WHERE t.season = p.season AND t.player_id = p.player_id
                  AND t.kind = 'trade' AND t.to_team_id = p.team_id);

-- Each team has fifteen players under contract and one head coach when a season begins.
SELECT count(*) FROM (SELECT season, team_id, count(*) AS players FROM salaries GROUP BY season, team_id)
FULL JOIN team_coaches USING (season, team_id) WHERE players IS DISTINCT FROM 15 OR coach_id IS NULL;

-- Full names are unique, and made of first and last name.
SELECT count(*) FROM (SELECT full_name FROM players UNION ALL SELECT full_name FROM coaches)
GROUP BY full_name HAVING count(*) > 1
UNION ALL
SELECT count(*) FROM players WHERE full_name <> first_name || ' ' || last_name;

-- Nobody is drafted twice, or before he is 18.
SELECT count(*) FROM draft_picks JOIN players USING (player_id)
WHERE draft_year - year(birth_date) NOT BETWEEN 18 AND 24
   OR (SELECT count(*) FROM draft_picks AS other WHERE other.player_id = draft_picks.player_id) > 1;

-- An award goes to a player or to a coach, of a team he was with in that season.
SELECT count(*) FROM awards AS a
WHERE (player_id IS NULL) = (coach_id IS NULL)
   OR (coach_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM team_coaches AS c WHERE c.season = a.season
                                            AND c.team_id = a.team_id AND c.coach_id = a.coach_id))
   OR (player_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM player_game_stats AS p JOIN games AS g USING (game_id)
                                             WHERE g.season = a.season AND p.player_id = a.player_id
                                               AND p.team_id = a.team_id));

-- Retired players have no team and play no more.
SELECT count(*) FROM transactions AS t JOIN players AS p USING (player_id)
WHERE t.kind = 'retirement' AND (p.team_id IS NOT NULL OR EXISTS (
    SELECT 1 FROM player_game_stats AS s JOIN games AS g USING (game_id)
    WHERE s.player_id = t.player_id AND g.game_date > t.transaction_date));
