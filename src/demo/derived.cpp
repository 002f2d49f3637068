#include "demo/derived.hpp"

namespace quaestor::demo {

const std::string_view kDerivedTables = R"sql(
INSERT INTO team_game_stats
WITH sums AS (
    SELECT game_id, team_id, sum(points) AS points,
           sum(field_goals_made) AS fgm, sum(field_goals_attempted) AS fga,
           sum(three_pointers_made) AS tpm, sum(three_pointers_attempted) AS tpa,
           sum(free_throws_made) AS ftm, sum(free_throws_attempted) AS fta,
           sum(offensive_rebounds) AS oreb, sum(defensive_rebounds) AS dreb, sum(rebounds) AS reb,
           sum(assists) AS ast, sum(steals) AS stl, sum(blocks) AS blk, sum(turnovers) AS tov, sum(personal_fouls) AS pf
    FROM player_game_stats GROUP BY game_id, team_id)
SELECT game_id, s.team_id, if(s.team_id = home_team_id, away_team_id, home_team_id),
       s.team_id = home_team_id AS is_home, s.team_id = winner_team_id,
       date_diff('day', lag(game_date) OVER (PARTITION BY season, s.team_id ORDER BY game_id), game_date) - 1,
       points, if(is_home, away_points, home_points), fgm, fga, tpm, tpa, ftm, fta, oreb, dreb, reb, ast, stl, blk, tov,
       pf, fga - oreb + tov + 0.44::DOUBLE * fta
FROM sums AS s JOIN games USING (game_id)
ORDER BY game_id, s.team_id;

INSERT INTO player_season_stats
WITH lines AS (
    SELECT season, p.*, (p.points >= 10)::INTEGER + (rebounds >= 10)::INTEGER + (assists >= 10)::INTEGER
                        + (steals >= 10)::INTEGER + (blocks >= 10)::INTEGER AS doubles
    FROM player_game_stats AS p JOIN games USING (game_id) WHERE game_type = 'Regular Season')
SELECT season, player_id, arg_max(team_id, game_id), count(*), count(*) FILTER (is_starter),
       round(sum(minutes) / count(*), 3), round(sum(points) / count(*), 3), round(sum(rebounds) / count(*), 3),
       round(sum(assists) / count(*), 3), round(sum(steals) / count(*), 3), round(sum(blocks) / count(*), 3),
       round(sum(turnovers) / count(*), 3),
       if(sum(field_goals_attempted) < 100, NULL, round(sum(field_goals_made) / sum(field_goals_attempted), 4)),
       if(sum(three_pointers_attempted) < 50, NULL, round(sum(three_pointers_made) / sum(three_pointers_attempted), 4)),
       if(sum(free_throws_attempted) < 50, NULL, round(sum(free_throws_made) / sum(free_throws_attempted), 4)),
       sum(points), sum(rebounds), sum(assists), count(*) FILTER (doubles >= 2), count(*) FILTER (doubles >= 3)
FROM lines GROUP BY season, player_id ORDER BY season, player_id;

INSERT INTO team_season_stats
SELECT season, t.team_id, count(*), round(sum(t.points) / count(*), 3), round(sum(t.opponent_points) / count(*), 3),
       round(sum(t.rebounds) / count(*), 3), round(sum(t.assists) / count(*), 3), round(sum(t.steals) / count(*), 3),
       round(sum(t.blocks) / count(*), 3), round(sum(t.turnovers) / count(*), 3),
       round(sum(t.field_goals_made) / sum(t.field_goals_attempted), 4),
       round(sum(t.three_pointers_made) / sum(t.three_pointers_attempted), 4),
       round(sum(t.free_throws_made) / sum(t.free_throws_attempted), 4),
       round(sum(t.possessions ORDER BY game_id) / count(*), 3),
       round(100 * sum(t.points) / sum(t.possessions ORDER BY game_id), 3) AS scored,
       round(100 * sum(t.opponent_points) / sum(o.possessions ORDER BY game_id), 3) AS allowed,
       round(scored - allowed, 3)
FROM team_game_stats AS t
JOIN team_game_stats AS o USING (game_id)
JOIN games USING (game_id)
WHERE game_type = 'Regular Season' AND o.team_id = t.opponent_team_id
GROUP BY season, t.team_id ORDER BY season, t.team_id;

INSERT INTO standings
WITH counts AS (
    SELECT season, team_id, conference, division,
           count(*) FILTER (is_win) AS wins, count(*) FILTER (NOT is_win) AS losses,
           count(*) FILTER (is_win AND is_home) AS home_wins, count(*) FILTER (NOT is_win AND is_home) AS home_losses,
           sum(points - opponent_points) AS difference
    FROM team_game_stats JOIN games USING (game_id) JOIN teams USING (team_id)
    WHERE game_type = 'Regular Season' GROUP BY season, team_id, conference, division)
SELECT season, team_id,
       row_number() OVER (PARTITION BY season, conference ORDER BY wins DESC, difference DESC, team_id) AS place,
       row_number() OVER (PARTITION BY season, division ORDER BY wins DESC, difference DESC, team_id),
       wins, losses, round(wins / (wins + losses), 4), home_wins, home_losses, wins - home_wins, losses - home_losses,
       (max(wins - losses) OVER (PARTITION BY season, conference) - (wins - losses)) / 2,
       EXISTS (SELECT 1 FROM playoff_series AS p
               WHERE p.season = counts.season AND team_id IN (higher_seed_team_id, lower_seed_team_id))
FROM counts ORDER BY season, conference, place;

INSERT INTO awards
WITH years AS (
    SELECT p.*, s.win_pct, t.defensive_rating, d.draft_year, games_per_team,
           p.points_per_game + 0.6 * p.rebounds_per_game + 0.8 * p.assists_per_game + p.steals_per_game
               + p.blocks_per_game AS worth,
           p.points_per_game - lag(p.points_per_game) OVER (PARTITION BY player_id ORDER BY p.season) AS gain,
           lag(p.games_played) OVER (PARTITION BY player_id ORDER BY p.season) AS games_before
    FROM player_season_stats AS p
    JOIN seasons USING (season)
    JOIN standings AS s USING (season, team_id)
    JOIN team_season_stats AS t USING (season, team_id)
    LEFT JOIN draft_picks AS d USING (player_id)),
regulars AS (SELECT * FROM years WHERE games_played >= games_per_team / 2),
scores AS (
    SELECT season, 'Most Valuable Player' AS award, player_id, team_id, worth * (0.5 + win_pct) AS score FROM regulars
    UNION ALL
    SELECT season, 'Defensive Player of the Year', player_id, team_id,
           2 * steals_per_game + 2 * blocks_per_game + 0.2 * rebounds_per_game - 0.2 * defensive_rating FROM regulars
    UNION ALL
    SELECT season, 'Rookie of the Year', player_id, team_id, worth FROM years WHERE draft_year = season - 1
    UNION ALL
    SELECT season, 'Sixth Man of the Year', player_id, team_id, worth FROM regulars
    WHERE games_started < games_played / 3
    UNION ALL
    SELECT season, 'Most Improved Player', player_id, team_id, gain FROM regulars
    WHERE games_before >= games_per_team / 2 AND draft_year < season - 1
    UNION ALL
    SELECT g.season, 'Finals MVP', player_id, team_id, sum(points + 0.6 * rebounds + 0.8 * assists + steals + blocks)
    FROM player_game_stats JOIN games AS g USING (game_id) JOIN playoff_series AS f USING (series_id)
    WHERE f.round = 'Finals' AND team_id = f.winner_team_id GROUP BY g.season, player_id, team_id),
coaching AS (
    SELECT season, coach_id, team_id,
           win_pct - coalesce(lag(win_pct) OVER (PARTITION BY team_id ORDER BY season), 0) AS score
    FROM standings JOIN team_coaches USING (season, team_id))
SELECT season, award, player_id, NULL, team_id FROM scores
QUALIFY row_number() OVER (PARTITION BY season, award ORDER BY score DESC, player_id) = 1
UNION ALL
SELECT season, 'Coach of the Year', NULL, coach_id, team_id FROM coaching
QUALIFY row_number() OVER (PARTITION BY season ORDER BY score DESC, team_id) = 1
ORDER BY 1, 2;
)sql";

}  // namespace quaestor::demo
