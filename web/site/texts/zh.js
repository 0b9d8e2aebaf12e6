// 中文：页面的全部文字。

import games from './zh-games.js';

export default {
  page: {
    tagline: '五种双人棋盘游戏',
    tagline_more: '规则简单，变化深奥。选一块棋盘，找一个旗鼓相当的对手，开始吧。',
    skip: '跳到正文', home: '首页', nav_play: '对局', nav_games: '棋局', nav_study: '研究',
    language: '语言', theme: '浅色或深色', play: '开始', rules: '规则', learn: '第一局', continue_game: '你的棋局',
    vs: '{a} 对 {b}', plies: ['{count} 手', '{count} 手'], new_game: '新棋局', new_game_of: '新的{game}棋局',
    start: '开始', cancel: '取消', close: '关闭', cancelled: '已取消',
    opponent: '对手', opponent_engine: '引擎', opponent_here: '身边的人', opponent_link: '用链接邀请', opponent_watch: '观看引擎',
    strength: '强度', level_1: '第一步', level_2: '新手', level_3: '休闲', level_4: '稳健', level_5: '俱乐部', level_6: '老练', level_7: '强', level_8: '专家', level_9: '大师', level_10: '全力以赴',
    kind: '种类', agent_level: '引擎，{level} 级', agent_levels: '分级引擎', agent_classic: '经典程序', agent_mcts: '蒙特卡洛', agent_random: '随机走子', agent_near: '随机，靠近棋子',
    you_play: '你执', side_random: '随机', variant: '规则', who_begins: '谁先走', by_lot: '抽签', clock: '计时', no_clock: '不计时', clock_of: '{minutes} 分 + {seconds} 秒',
    your_name: '你的名字', you: '你', to_move: '轮到{side}', your_turn: '轮到你', thinking: '思考中…', waiting_for_player: '等待对手…',
    empty: '空', goal_of: '{side}的目标', last_move: '上一手', winning_cell: '制胜', selected: '已选', can_be_chosen: '可选',
    chosen: ['已选 {cell}，还有 {count} 格可走', '已选 {cell}，还有 {count} 格可走'], not_playable: '{cell} 不能走',
    board_of: '{game}棋盘。方向键移动，回车选择，Esc 取消。',
    played: '{side}：{move}。', passes: '{side}无棋可走，必须弃权。', moves: '着法', no_moves_yet: '还没有着法', start_position: '开局',
    step_first: '到开头', step_back: '后退一手', step_on: '前进一手', step_last: '到最后', flip: '翻转棋盘', undo: '悔棋', resign: '认输', resign_sure: '确定认输吗？', draw: '提和',
    rematch: '再来一局', rematch_waiting: '已提出再来一局…', rematch_offered: '对手想再来一局', hint: '提示', hint_is: '提示：{move}', analyse: '分析', type_move: '输入着法', play_move: '走', show_targets: '显示合法着法',
    wins: '{side}胜', drawn: '和棋', you_win: '你赢了', you_lose: '你输了', undo_asked: '{name} 请求悔棋', draw_offered: '{name} 提和', offer_sent: '已提出，等待答复…', accept: '接受', decline: '拒绝',
    invite: '把这个链接发给朋友。最先打开的人坐到另一边。', copy: '复制', copied: '已复制', join_title: '邀请你下一局{game}', join: '坐下来下棋', watch_only: '只观看', watching: '你正在观看',
    reconnecting: '连接断开，正在重试…', offline: '服务器没有应答。', place_here: '走 {move}', pause: '暂停', go_on: '继续', step: '走一手', speed: '每手间隔',
    share: '分享与导出', share_game: '本局地址', share_position: '此局面地址', position_text: '局面', move_list: '着法列表', record_file: '棋谱文件', picture_svg: '图片（SVG）', picture_png: '图片（PNG）',
    not_found: '这里什么也没有', not_found_more: '地址可能不完整，或者棋局已被遗忘。', to_start_page: '回首页',
    study_which: '摆出任意局面，试走各种着法，看看引擎怎么想。', back_to_game: '回到棋局', play_from_here: '从这里开始下', review: '找出失误', review_done: '全部着法已检查。', branches: '这里试过的其他着法：',
    analysis_waiting: '等待空闲的引擎…', analysis_depth: '深度 {depth}，{nodes} 个局面，{seconds} 秒', win_in: ['{count} 手内胜', '{count} 手内胜'], loss_in: ['{count} 手内负', '{count} 手内负'], exactly: '精确 {score}', chance_of: '{side}领先，{chance}', graph_of: '{side}全局胜率',
    import: '导入', import_text: '局面、着法列表或棋谱', import_file: '或者棋谱文件', import_do: '打开', import_wrong: '这不是棋谱、局面或着法列表。', import_large: '文件太大。',
    all_games: '全部游戏', other_games: '此服务器上的其他棋局', no_games: '还没有', under_way: '进行中', variants: '规则与变体', draw_by_repetition: '同一局面出现 {count} 次为和棋。', draw_by_length: '{count} 手之后为和棋。',
    not_yet: '{move} 是合法着法，但这里有更好的。', try_again: '再试一次', next_lesson: '下一题', lesson_number: '第 {number} 题',
  },
  words: {
    Black: '黑方', White: '白方', Blue: '蓝方', Red: '红方', Light: '浅色方', Dark: '深色方', You: '你',
    time: '超时', resigned: '认输', 'draw agreed': '双方同意', 'engine failed': '引擎出错',
    'third repetition': '三次重复', 'ply limit': '手数上限', 'no legal move': '无棋可走', 'most discs': '棋子更多', 'five in a row': '五子连珠', 'five captures': '吃满五对', 'board full': '棋盘已满', 'board emptied': '清空一块棋盘', 'goal reached': '到达目标', 'all stones blocked': '全部被困', 'no stones left': '没有棋子', 'three captured': '吃满三枚', 'four captured': '吃满四枚', 'five captured': '吃满五枚',
    discs: '棋子', score: '得分', captures: '吃', stones: '棋子', 'fewest on a board': '单盘最少', blocked: '被困',
  },
  games,
};
