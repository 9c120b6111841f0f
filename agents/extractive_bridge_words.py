"""The word list of `extractive_bridge`: words that are asked of any document, Chinese and English.

An entry is a Chinese word and the beginnings of the English ones, of which a search says the first.
Words are of quantities and parts, contracts and rules, work and study, devices, meetings and
papers; names and rare terms are left to the encoder.
"""

PAIRS = """
额定 rated|rating|nominal; 功率 power|output|capacity|rated at; 效率 efficien
流量 flow|discharge; 水位 level|stage; 高度 height|high|tall; 高程 elevation|level
长度 length|long; 宽度 width|wide; 深度 depth|deep; 厚度 thick; 直径 diameter; 重量 weigh
质量 mass|quality; 面积 area; 体积 volume; 容量 capacity; 速度 speed|velocity; 转速 speed|rpm
温度 temperature; 压力 pressure; 电压 voltage|volt; 电流 current|amp; 频率 frequency
能量 energy; 电量 energy|electricity; 河流 river|stream; 河 river; 发电机 generator; 管道 pipe
阀门 valve; 泵 pump; 轴承 bearing; 电机 motor; 变压器 transformer; 电池 batter
设备 equipment|device|machine; 系统 system; 结构 structure; 材料 material; 降雨 rain
降水 rain|precipit; 示例 example; 例子 example; 手册 manual|handbook; 电站 plant|station
千瓦 kW; 最大 maximum|largest|max|highest; 最小 minimum|smallest|min|lowest
最高 highest|maximum|peak|top; 最低 lowest|minimum; 平均 average|mean; 总 total; 设计 design
允许 allow|permit|permissible; 限值 limit; 标准 standard|criteri; 要求 require|shall|must
检查 inspect|check; 维护 maint; 更换 replac; 试验 test; 安装 install; 运行 operat|run
启动 start; 停机 shut|stop; 关闭 clos|shut; 打开 open; 清洗 clean; 故障 fault|fail
原因 cause|reason|because; 步骤 step; 方法 method; 公式 formula|equation; 定义 defin
范围 range|scope; 条件 condition; 安全 safe; 人员 person|staff|personnel
人数 people|persons|number; 作者 author|written by; 日期 date; 年份 year; 月份 month; 每月 month
每周 week; 每天 day|daily; 每年 year|annual; 时间 time|when|date; 价格 price|cost; 成本 cost
费用 cost|fee|charge; 收入 revenue|income; 利润 profit; 增长 growth|grew|increase
减少 decreas|reduc|fell; 公司 company|firm; 员工 employee|staff; 股东 shareholder; 董事 director
市场 market; 客户 customer|client; 产品 product; 销售 sale|sold; 合同 contract; 保险 insur
学生 student; 学校 school; 大学 university; 国家 country|nation; 城市 city; 人口 population
首都 capital; 总统 president; 国王 king; 战争 war; 世纪 century; 语言 language; 宗教 religio
电影 film|movie; 音乐 music; 歌曲 song; 专辑 album; 球队 team; 冠军 champion|won|winner
比赛 game|match; 赛季 season; 位置 locat|position|site; 地点 place|location|venue; 地址 address
下游 downstream; 上游 upstream; 记录 record|log; 报告 report; 颜色 colo; 型号 model|type
类型 type|kind; 数量 number|quantity; 比例 ratio|share|proportion|percent
系数 coefficient|factor; 误差 error; 精度 accura|precision; 寿命 life
周期 period|interval|cycle; 间隔 interval; 频次 interval|frequency|often; 模型 model; 数据 data
算法 algorithm; 实验 experiment; 结果 result; 疾病 disease; 患者 patient; 治疗 treat
剂量 dose|dosage; 药物 drug|medicine; 细胞 cell; 蛋白 protein; 能源 energy; 环境 environment
押金 deposit; 保证金 deposit|guarantee; 租金 rent; 租期 term|lease|rental; 租约 lease
租赁 lease|rent; 房东 landlord|lessor; 租客 tenant|lessee; 租户 tenant|lessee
承租方 tenant|lessee; 出租方 landlord|lessor
退还 return|refund; 退回 return|refund; 支付 pay|paid; 付款 pay|paid; 违约金 penalt
违约 breach|default
逾期 late|overdue; 迟到 late; 终止 terminat|end; 解除 terminat|dissol; 续租 renew
通知 notice|notif
签订 sign; 维修 repair; 修理 repair; 损坏 damage; 责任 liab|responsib; 负责 responsib
期限 term|deadline|period; 停车 parking; 宠物 pet; 公寓 apartment|flat; 房屋 house|premises
年休假 annual|leave; 年假 annual|leave; 病假 sick|leave; 婚假 marriage|wedding|leave
产假 maternity|leave
丧假 bereavement|leave; 假期 leave|holiday|vacation; 工资 salary|wage|pay; 奖金 bonus|prize
补贴 allowance|subsid; 补助 allowance|subsid; 住宿 hotel|accommodation|lodging; 伙食 meal
交通 transport|traffic; 出差 business trip; 上班 work; 下班 work; 午休 lunch
旷工 absen; 旷课 absen; 处分 disciplin|sanction|punish|penalt; 纪律 disciplin; 警告 warning
辞职 resign; 解雇 dismiss|fired; 开除 expel|dismiss|expulsion; 部门 department; 经理 manager
总监 director
申诉 appeal; 审核 review|audit|approv; 批准 approv; 解释 interpret|explain
规定 rule|regulation|provision
手续 procedure|formalit; 申请 appl; 资格 eligib|qualif; 奖学金 scholarship; 助学金 grant|bursary
考试 exam; 成绩 grade|score|mark; 课程 course; 学分 credit; 毕业 graduat; 宿舍 dorm; 作弊 cheat
按钮 button; 电源 power|supply; 充电 charg; 屏幕 screen|display; 镜头 lens; 照片 photo|picture
相机 camera; 尺寸 size|dimension; 默认 default; 设置 setting; 密封 seal; 滤网 filter
过滤器 filter
水箱 tank; 指示灯 indicator; 噪声 noise; 保修 warrant; 距离 distance|range; 夜间 night
太阳能 solar
水轮机 turbine; 水头 head; 闸门 gate; 洪水 flood; 大坝 dam; 水库 reservoir; 汛限 flood|limit
开关 switch
会议 meeting; 例会 meeting; 纪要 minutes; 运营 operation; 校董会 school board
董事会 board; 仓库 warehouse; 备份 backup|back up; 交货 deliver; 延误 delay; 资助 fund|sponsor
试用期 probation; 主持 chair|host; 参会 attend; 出席 attend; 缺席 absent; 决议 resol|decision
采购 purchas|procure|buy; 验收 acceptance; 供应商 supplier|vendor; 预算 budget; 截止 deadline|due
推迟 postpone|delay; 项目 project; 目标 goal|target
论文 paper|article; 数据集 dataset|data set; 训练 train; 基线 baseline; 准确率 accura
性能 performance
结论 conclusion; 用户 user; 新闻 news; 图书馆 librar; 医院 hospital; 法院 court; 法律 law|legal
开始 start|begin|began; 结束 end|finish; 成立 found|establish; 设站 establish
出生 born|birth; 去世 died|death; 创建 creat|found; 建造 built|construct; 建成 built|complet
发现 discover|found; 发明 invent; 政府 government; 军队 army|military|troop; 教育 educat
研究 research
科学 scien; 技术 techn; 经济 econom; 历史 histor; 社会 social|societ; 移民 immigra|migra
森林 forest; 动物 animal; 植物 plant; 食物 food; 海洋 ocean|sea; 岛屿 island; 桥梁 bridge
铁路 rail
机场 airport; 车站 station; 飞机 aircraft|plane; 船舶 ship|vessel; 家庭 famil; 父亲 father
母亲 mother
妻子 wife; 孩子 child; 职业 profession|occupation; 成员 member; 选举 elect; 投票 vot
"""
